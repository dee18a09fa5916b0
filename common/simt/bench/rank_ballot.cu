/*
 * A benchmark kernel of the engine: how many odd elements of its section of 256 lie before each
 * element: ballots within the warps, then the counts of the warps before.
 *
 * Mapping   256 threads a block, one element a thread, (n + 255) / 256 blocks
 * Bytes     4n read, 4n written
 */
#include <cuda_runtime.h>

enum { SECTION = 256, WARP = 32, FULL = 0xffffffff };

extern "C" __global__ void rank_ballot(const int *in, int *out, int n)
{
    __shared__ int s_count[SECTION / WARP];
    int t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    int i = blockIdx.x * SECTION + t;
    unsigned odd = __ballot_sync(FULL, i < n && (in[i] & 1));

    if (lane == 0)
        s_count[warp] = __popc(odd);
    __syncthreads();
    int rank = __popc(odd & ((1u << lane) - 1));

    for (int w = 0; w < warp; w++)
        rank += s_count[w];
    if (i < n)
        out[i] = rank;
}
