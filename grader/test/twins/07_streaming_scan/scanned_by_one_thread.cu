// expect: OVER_BUDGET | lanes adding at n = 1792: 0.03125
#include <cuda_runtime.h>

#include "streaming_scan.h"

/* Right, in one launch that moves 2n: by one thread, while the rest of the device does nothing. */
__global__ void scan_alone(const float *d_in, float *d_out, int n, int every)
{
    float sum = 0.0f;

    for (int i = 0; i < n; i++) {
        sum += d_in[i];
        if (i % every == every - 1 || i == n - 1)
            d_out[i / every] = sum;
    }
}

void streaming_scan_prefixes(const float *d_in, float *d_prefix, int n)
{
    if (n > 0)
        scan_alone<<<1, 1>>>(d_in, d_prefix, n, STREAMING_SCAN_TILE);
}

void streaming_scan(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_alone<<<1, 1>>>(d_in, d_out, n, 1);
}
