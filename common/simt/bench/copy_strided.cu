/*
 * A benchmark kernel of the engine: a copy whose lanes read 33 elements apart: each warp touches 32
 * sectors. n is a power of two.
 *
 * Mapping   256 threads a block, one element a thread, n / 256 blocks
 * Bytes     4n read, 4n written
 */
#include <cuda_runtime.h>

enum { STRIDE = 33 };

extern "C" __global__ void copy_strided(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[(unsigned)i * STRIDE & (n - 1)];
}
