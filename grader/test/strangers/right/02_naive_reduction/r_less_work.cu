// expect: PASS | a partial section does only the additions that it has; dynamic shared memory; managed scratch
#include <cuda_runtime.h>
#include <algorithm>
#include <iostream>

#include "naive_reduction.h"

#define CHECKED(call)                                                                              \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess)                                                                     \
            std::cerr << #call << ": " << cudaGetErrorString(e_) << std::endl;                     \
    } while (0)

static const int threads = NAIVE_REDUCTION_BLOCK;
static const int section = NAIVE_REDUCTION_SECTION;

__global__ void partial_sums(const float *in, float *out, int n)
{
    extern __shared__ float smem[];
    const long long begin = (long long)blockIdx.x * section;
    const int count = (int)min((long long)section, n - begin);
    const int t = threadIdx.x;

    if (t < count)
        smem[t] = in[begin + t];
    if (t + threads < count)
        smem[t + threads] = in[begin + t + threads];

    for (int stride = 1; stride < count; stride *= 2) {
        __syncthreads();
        if (t % stride == 0 && 2 * t + stride < count)
            smem[2 * t] += smem[2 * t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = smem[0];
}

static int ceil_div(int a, int b) { return (int)(((long long)a + b - 1) / b); }

void reduce_naive_partial(const float *d_in, float *d_partial, int n)
{
    if (!n)
        return;
    partial_sums<<<ceil_div(n, section), threads, section * sizeof(float)>>>(d_in, d_partial, n);
    CHECKED(cudaGetLastError());
}

void reduce_naive_total(const float *d_in, float *d_sum, int n)
{
    if (!n) {
        CHECKED(cudaMemset(d_sum, 0, sizeof(float)));
        return;
    }
    float *buffer[2] = { nullptr, nullptr };
    if (n > section)
        for (auto &b : buffer)
            CHECKED(cudaMallocManaged(&b, ceil_div(n, section) * sizeof(float)));
    int k = 0;
    while (n > section) {
        reduce_naive_partial(d_in, buffer[k], n);
        d_in = buffer[k];
        n = ceil_div(n, section);
        k ^= 1;
    }
    reduce_naive_partial(d_in, d_sum, n);
    std::for_each(buffer, buffer + 2, [](float *b) { CHECKED(cudaFree(b)); });
}
