/*
 * A benchmark kernel of the engine: each block sums its section of 256 elements in shared memory,
 * half the threads each round.
 *
 * Mapping   256 threads a block, one element a thread, (n + 255) / 256 blocks
 * Bytes     4n read, 4n / 256 written
 * Work      255 additions a section, 9 barriers a block
 */
#include <cuda_runtime.h>

enum { SECTION = 256 };

extern "C" __global__ void reduce_sequential(const float *in, float *out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[t] = i < n ? in[i] : 0.0f;
    for (int stride = SECTION / 2; stride > 0; stride /= 2) {
        __syncthreads(); /* the last round's sums are in place */
        if (t < stride)
            s_sum[t] += s_sum[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = s_sum[0];
}
