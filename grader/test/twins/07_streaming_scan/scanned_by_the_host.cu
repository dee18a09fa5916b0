// expect: OVER_BUDGET | numbers taken
#include <stdlib.h>

#include <cuda_runtime.h>

#include "streaming_scan.h"

static void scan_here(const float *d_in, float *d_out, int n, int every)
{
    float *h_sum = (float *)malloc(n * sizeof *h_sum), sum = 0.0f;

    cudaMemcpy(h_sum, d_in, n * sizeof *h_sum, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        sum += h_sum[i];
        h_sum[i / every] = sum;
    }
    cudaMemcpy(d_out, h_sum, ((n - 1) / every + 1) * sizeof *h_sum, cudaMemcpyHostToDevice);
    free(h_sum);
}

void streaming_scan_prefixes(const float *d_in, float *d_prefix, int n)
{
    if (n > 0)
        scan_here(d_in, d_prefix, n, STREAMING_SCAN_TILE);
}

void streaming_scan(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_here(d_in, d_out, n, 1);
}
