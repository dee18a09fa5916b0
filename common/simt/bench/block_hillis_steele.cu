/*
 * The engine's benchmark kernel: an inclusive Hillis-Steele scan of each section of 256 elements,
 * in one shared buffer. Nothing here is tuned for the engine, and changing it makes earlier figures
 * incomparable.
 *
 * Mapping   256 threads a block, one element a thread, (n + 255) / 256 blocks
 * Bytes     4n read, 4n written
 * Work      1793 additions a section, 16 barriers a block
 * Depth     8 additions
 */
#include <cuda_runtime.h>

enum { SECTION = 256 };

extern "C" __global__ void block_hillis_steele(const float *in, float *out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[t] = i < n ? in[i] : 0.0f;
    for (int stride = 1; stride < SECTION; stride *= 2) {
        __syncthreads(); /* the last step's sums are in place */
        float left = t >= stride ? s_sum[t - stride] : 0.0f;

        __syncthreads(); /* everybody has read */
        if (t >= stride)
            s_sum[t] += left;
    }
    if (i < n)
        out[i] = s_sum[t];
}
