// expect: OVER_BUDGET | bytes to the host
#include <stdlib.h>
#include "hillis_steele.h"

__global__ void busy(float *d_out, int n) {}

/* Scans on the host, between two copies. */
static void on_the_host(const float *d_in, float *d_out, int n, int exclusive)
{
    float *h = (float *)malloc(n * 4 + 4), sum = 0;
    cudaMemcpy(h, d_in, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        float x = h[i];
        if (i % 256 == 0)
            sum = 0;
        h[i] = exclusive ? sum : sum + x;
        sum += x;
    }
    if (n > 0)
        busy<<<1, 32>>>(d_out, n);
    cudaMemcpy(d_out, h, n * 4, cudaMemcpyHostToDevice);
    free(h);
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    on_the_host(d_in, d_out, n, 0);
}
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    on_the_host(d_in, d_out, n, 0);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    on_the_host(d_in, d_out, n, 1);
}
