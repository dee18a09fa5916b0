// expect: RACE | different streams
#include "hillis_steele.h"

/* Adds up one thread after the other, in one block of the section. */
__global__ void scan(const float *d_in, float *d_out, int n, int exclusive)
{
    int begin = blockIdx.x * 256;
    float sum = 0.0f;

    for (int i = begin; i < begin + 256 && i < n; i++) {
        float value = d_in[i];
        d_out[i] = exclusive ? sum : sum + value;
        sum += value;
    }
}

/* The outputs are set to 0 on one stream, and written on another that does not wait for it. */
static void on_two_streams(const float *d_in, float *d_out, int n, int exclusive)
{
    cudaStream_t first, second;

    if (n < 1)
        return;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMemsetAsync(d_out, 0, n * sizeof *d_out, first);
    scan<<<(n - 1) / 256 + 1, 1, 0, second>>>(d_in, d_out, n, exclusive);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    on_two_streams(d_in, d_out, n, 0);
}
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    on_two_streams(d_in, d_out, n, 0);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    on_two_streams(d_in, d_out, n, 1);
}
