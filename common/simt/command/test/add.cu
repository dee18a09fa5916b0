#include "add.h"

__global__ void vector_add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

void add(const float *d_a, const float *d_b, float *d_sum, int n)
{
    vector_add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_sum, n);
}
