// expect: PASS | the last warp alone, with __syncwarp between its steps
#include <cuda_runtime.h>

#include "divergence_free_reduction.h"

#define S DIVERGENCE_FREE_SECTION
#define B DIVERGENCE_FREE_BLOCK

static __device__ void finish(float *s, int t)
{
#pragma unroll
    for (int d = 16; d; d /= 2) {
        __syncwarp();
        if (t < d)
            s[t] += s[t + d];
    }
}

__global__ void reduce(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
    __shared__ __align__(128) float s[S];
    int t = threadIdx.x;
    for (unsigned k = t; k < S; k += blockDim.x) {
        unsigned i = blockIdx.x * S + k;
        s[k] = (i < n) ? __ldg(in + i) : 0;
    }
    int d = S / 2;
    do {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
        d /= 2;
    } while (d >= 32);
    if (t >= 32)
        return;
    finish(s, t);
    if (t == 0)
        out[blockIdx.x] = s[0];
}

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    if (n > 0)
        reduce<<<(n - 1) / S + 1, B>>>(d_in, d_partial, n);
}

void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    float *ping, *pong;
    int m = (n - 1) / S + 1;
    if (n <= 0) {
        cudaMemset(d_sum, 0, sizeof *d_sum);
        return;
    }
    if (cudaMalloc(&ping, m * sizeof(float)) != cudaSuccess)
        return;
    if (cudaMalloc(&pong, ((m - 1) / S + 1) * sizeof(float)) != cudaSuccess) {
        cudaFree(ping);
        return;
    }
    const float *from = d_in;
    while (n > 1 || from == d_in) {
        int next = (n - 1) / S + 1;
        float *to = next == 1 ? d_sum : from == ping ? pong : ping;
        reduce_compacted_partial(from, to, n);
        from = to;
        n = next;
    }
    cudaFree(ping);
    cudaFree(pong);
}
