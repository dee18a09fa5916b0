// expect: CUDA_ERROR | there is no room for the call's buffers
#include "hillis_steele.h"

__device__ char large[(512u << 20) - (1200u << 10)];

__global__ void scan(const float *d_in, float *d_out, int n)
{
    const int first = blockIdx.x * HILLIS_STEELE_SECTION;
    float sum = 0;
    for (int i = first; threadIdx.x == 0 && i < n && i < first + HILLIS_STEELE_SECTION; i++)
        d_out[i] = sum += d_in[i];
    if (n < 0)
        large[threadIdx.x] = 1;
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan<<<(n + HILLIS_STEELE_SECTION - 1) / HILLIS_STEELE_SECTION, HILLIS_STEELE_SECTION>>>(
            d_in, d_out, n);
}
