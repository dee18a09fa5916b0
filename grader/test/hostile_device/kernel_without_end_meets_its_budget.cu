// expect: TIMEOUT | hillis_steele.cu
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void spin(volatile float *d_out, int n)
{
    for (unsigned i = 0;; i++)
        if (threadIdx.x < n)
            d_out[threadIdx.x] = (float)i;
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        spin<<<1, 32>>>(d_out, n);
}
