// expect: PASS | sum in a register, first addition at the load, one barrier a step, continue
#include <cuda_runtime.h>

#include "divergence_free_reduction.h"

enum { B = DIVERGENCE_FREE_BLOCK, S = DIVERGENCE_FREE_SECTION };

__global__ void reduce(const float *in, float *out, unsigned n)
{
    __shared__ float s[B];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * S + t;
    const float a = i < n ? in[i] : 0.f;
    const float b = i + B < n ? in[i + B] : 0.f;
    float sum = a + b;

    s[t] = sum;
    for (unsigned d = B / 2; d != 0; d >>= 1) {
        __syncthreads();
        if (t >= d)
            continue;
        sum += s[t + d];
        s[t] = sum;
    }
    if (!t)
        out[blockIdx.x] = sum;
}

static unsigned blocks_for(unsigned n) { return n / S + (n % S ? 1 : 0); }

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    unsigned grid = blocks_for(n);
    if (grid)
        reduce<<<grid, B>>>(d_in, d_partial, n);
}

void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    if (n == 0) {
        cudaMemset(d_sum, 0, sizeof(float));
        return;
    }
    if (n <= S) {
        reduce_compacted_partial(d_in, d_sum, n);
        return;
    }
    float *tmp = 0;
    if (cudaMalloc(&tmp, sizeof(float) * blocks_for(n)) != cudaSuccess)
        return;
    reduce_compacted_partial(d_in, tmp, n);
    reduce_compacted_total(tmp, d_sum, (int)blocks_for(n));
    cudaFree(tmp);
}
