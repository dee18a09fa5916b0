// expect: OUT_OF_BOUNDS | host pointer
#include <stdlib.h>
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void store(float *h_temp) { h_temp[threadIdx.x] = 1; }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    store<<<1, 32>>>((float *)malloc(128));
}
