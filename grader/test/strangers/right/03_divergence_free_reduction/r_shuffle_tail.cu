// expect: PASS | below a warp values come by shuffle; only the lower lanes add, under an if
#include <cuda_runtime.h>

#include "divergence_free_reduction.h"

#define S DIVERGENCE_FREE_SECTION
#define B DIVERGENCE_FREE_BLOCK

__global__ void reduce(const float *in, float *out, unsigned n)
{
    __shared__ float s[B];
    unsigned t = threadIdx.x, i = blockIdx.x * S + t;
    float sum = i < n ? in[i] : 0.0f;
    if (i + B < n)
        sum += in[i + B];
    s[t] = sum;
    for (unsigned d = B / 2; d >= 32; d /= 2) {
        __syncthreads();
        if (t < d)
            s[t] = sum = sum + s[t + d];
    }
    if (t < 32) {
        for (int d = 16; d > 0; d >>= 1) {
            float right = __shfl_down_sync(0xffffffff, sum, d);
            if (t < (unsigned)d)
                sum += right;
        }
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    if (n > 0)
        reduce<<<(n - 1) / S + 1, B>>>(d_in, d_partial, n);
}

void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    if (n <= 0) {
        cudaMemset(d_sum, 0, sizeof *d_sum);
        return;
    }
    float *d_level[4] = {};
    int k = 0;
    const float *d_from = d_in;
    for (; n > S; n = (n - 1) / S + 1) {
        if (cudaMalloc((void **)&d_level[k], ((n - 1) / S + 1) * sizeof(float)) != cudaSuccess)
            break;
        reduce_compacted_partial(d_from, d_level[k], n);
        d_from = d_level[k++];
    }
    if (n <= S)
        reduce_compacted_partial(d_from, d_sum, n);
    while (k-- > 0)
        cudaFree(d_level[k]);
}
