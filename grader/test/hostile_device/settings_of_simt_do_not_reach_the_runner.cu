// expect: RACE | s_sum
/* Asks, by the variable that programs of `simt cc` know, for no checks: before anything else runs,
   and again before the launch. */
#include <cuda_runtime.h>
#include <stdlib.h>
#include "hillis_steele.h"

__attribute__((constructor(101))) static void ask_for_no_checks(void)
{
    setenv("SCANLAB_SIMT", "what=run checks=none budget=1000000", 1);
}

__global__ void unordered(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[32];
    unsigned t = threadIdx.x;

    s_sum[t] = n > 0 ? d_in[0] : 0.0f;
    d_out[0] = s_sum[t ^ 1];
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    ask_for_no_checks();
    if (n > 0)
        unordered<<<1, 32>>>(d_in, d_out, n);
}

void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    hillis_steele_inclusive(d_in, d_out, n);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    hillis_steele_inclusive(d_in, d_out, n);
}
