// expect: CUDA_ERROR | look at the asm statement
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void count(float *d_out)
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt" : "=r"(mask)); /* no semicolon */
    d_out[threadIdx.x] = (float)mask;
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    (void)d_in;
    const int threads = n < 32 ? n : 32;
    if (n > 0)
        count<<<1, threads>>>(d_out);
}

void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    hillis_steele_inclusive(d_in, d_out, n);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    hillis_steele_inclusive(d_in, d_out, n);
}
