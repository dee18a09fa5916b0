// expect: PASS | a lambda for one step, all steps written out, cudaLaunchKernel, static size_t
#include <cuda_runtime.h>

#include "divergence_free_reduction.h"

#define S ((size_t)DIVERGENCE_FREE_SECTION)

__global__ __launch_bounds__(DIVERGENCE_FREE_BLOCK) void reduce(const float *in, float *out, size_t n)
{
    volatile __shared__ float s[DIVERGENCE_FREE_SECTION];
    const size_t t = threadIdx.x, base = blockIdx.x * S, half = S / 2;

    s[t] = base + t < n ? in[base + t] : 0;
    s[half + t] = base + half + t < n ? in[base + half + t] : 0;

    auto step = [&](size_t d) {
        __syncthreads();
        if (t < d)
            s[t] = s[t] + s[t + d];
    };
    step(256);
    step(128);
    step(64);
    step(32);
    step(16);
    step(8);
    step(4);
    step(2);
    step(1);

    t == 0 ? (void)(out[blockIdx.x] = s[0]) : (void)0;
}

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    size_t m = n;
    void *args[] = { &d_in, &d_partial, &m };
    if (n)
        cudaLaunchKernel((const void *)reduce, dim3((m + S - 1) / S), dim3(DIVERGENCE_FREE_BLOCK), args, 0, 0);
}

void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    if (n == 0) {
        cudaMemset((void *)d_sum, 0, sizeof(float));
        return;
    }
    size_t m = ((size_t)n + S - 1) / S;
    if (m == 1)
        return reduce_compacted_partial(d_in, d_sum, n);
    float *d_tmp = nullptr;
    cudaStream_t stream = 0;
    if (cudaSuccess != cudaMallocAsync((void **)&d_tmp, m * sizeof(float), stream))
        return;
    reduce_compacted_partial(d_in, d_tmp, n);
    reduce_compacted_total(d_tmp, d_sum, (int)m);
    cudaFreeAsync(d_tmp, stream);
}
