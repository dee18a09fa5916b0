// expect: RACE | s_sum
/* Sixteen divisions by zero, a note each, and after them a race: the notes must not take its place
   in the report. */
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void noisy(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[32];
    unsigned t = threadIdx.x, zero = gridDim.z - 1, sum = 0;

    sum += 3u / zero;
    sum += 4u / zero;
    sum += 5u / zero;
    sum += 6u / zero;
    sum += 7u / zero;
    sum += 8u / zero;
    sum += 9u / zero;
    sum += 10u / zero;
    sum += 11u / zero;
    sum += 12u / zero;
    sum += 13u / zero;
    sum += 14u / zero;
    sum += 15u / zero;
    sum += 16u / zero;
    sum += 17u / zero;
    sum += 18u / zero;
    s_sum[t] = n > 0 && sum != 7 ? d_in[0] : 0.0f;
    d_out[0] = s_sum[t ^ 1];
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        noisy<<<1, 32>>>(d_in, d_out, n);
}

void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    hillis_steele_inclusive(d_in, d_out, n);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    hillis_steele_inclusive(d_in, d_out, n);
}
