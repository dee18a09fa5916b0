// expect: CUDA_ERROR | out of memory
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void scan(const float *d_in, float *d_out, float *d_scratch, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        sum = i % 256 == 0 ? d_in[i] : sum + d_in[i];
        d_scratch[i] = sum;
        d_out[i] = sum;
    }
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    float *d_scratch;
    if (n == 0 || cudaMalloc(&d_scratch, (size_t)n << 40) != cudaSuccess)
        return;
    scan<<<1, 1>>>(d_in, d_out, d_scratch, n);
    cudaFree(d_scratch);
}
