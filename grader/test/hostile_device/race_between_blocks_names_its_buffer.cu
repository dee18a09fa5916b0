// expect: RACE | writes d_out[0], which block
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void everyone_stores_here(const float *d_in, float *d_out, int n)
{
    d_out[0] = d_in[blockIdx.x];
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    const int blocks = n < 100 ? n : 100;
    if (n > 0)
        everyone_stores_here<<<blocks, 1>>>(d_in, d_out, n);
}
