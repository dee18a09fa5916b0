// expect: OUT_OF_BOUNDS | after free
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void store(float *d_temp) { d_temp[threadIdx.x] = 1; }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    float *d_temp;
    cudaMalloc(&d_temp, 32 * sizeof *d_temp);
    cudaFree(d_temp);
    store<<<1, 32>>>(d_temp);
}
