/*
 * A benchmark kernel of the engine: a histogram of 64 bins, by atomics in shared memory, then in
 * global memory. Because of the latter the engine runs its blocks on one host thread.
 *
 * Mapping   256 threads a block, one element a thread, (n + 255) / 256 blocks
 * Bytes     4n read; 64 atomic additions a block
 */
#include <cuda_runtime.h>

enum { BINS = 64 };

/* out: 64 zeros at the start */
extern "C" __global__ void histogram_atomics(const int *in, int *out, int n)
{
    __shared__ int s_bin[BINS];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t < BINS)
        s_bin[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&s_bin[in[i] & (BINS - 1)], 1);
    __syncthreads();
    if (t < BINS)
        atomicAdd(&out[t], s_bin[t]);
}
