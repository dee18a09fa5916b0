// expect: PASS | cooperative groups, float pointers as references, dynamic shared memory, partial sections add less
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "divergence_free_reduction.h"

namespace cg = cooperative_groups;
constexpr unsigned B = DIVERGENCE_FREE_BLOCK, S = DIVERGENCE_FREE_SECTION;

__global__ void reduce(const float *in, float *out, unsigned n)
{
    extern __shared__ float s[];
    cg::thread_block block = cg::this_thread_block();
    const unsigned t = block.thread_rank();
    const unsigned begin = block.group_index().x * S;
    const unsigned count = min(S, n - begin);

    for (unsigned k = t; k < count; k += block.size())
        s[k] = in[begin + k];
    for (unsigned stride = B; stride > 0; stride /= 2) {
        block.sync();
        if (t < stride && t + stride < min(count, 2 * stride)) {
            float &mine = s[t];
            mine += s[t + stride];
        }
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

static unsigned up(unsigned n) { return (n + S - 1) / S; }

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    if (n > 0)
        reduce<<<up(n), B, S * sizeof(float)>>>(d_in, d_partial, n);
}

void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    if (n <= 0) {
        cudaMemset(d_sum, 0, sizeof *d_sum);
        return;
    }
    float *scratch;
    unsigned left = n;
    if (cudaMalloc(&scratch, (up(n) + up(up(n))) * sizeof(float)) != cudaSuccess)
        return;
    float *place[] = { scratch, scratch + up(n) };
    for (unsigned turn = 0; left > S; turn ^= 1, left = up(left)) {
        reduce_compacted_partial(d_in, place[turn], left);
        d_in = place[turn];
    }
    reduce_compacted_partial(d_in, d_sum, left);
    cudaFree(scratch);
}
