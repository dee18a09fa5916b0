// expect: PASS | thread loads its own pair 2t, 2t+1, keeps its sum in a register; RAII buffers, recursion on the host
#include <cuda_runtime.h>
#include <cstdio>

#include "naive_reduction.h"

constexpr int BLOCK = NAIVE_REDUCTION_BLOCK;
constexpr int S = NAIVE_REDUCTION_SECTION;

__global__ void __launch_bounds__(BLOCK) tree(const float *__restrict__ in, float *__restrict__ out, size_t n)
{
    __shared__ float partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * S + 2 * tid;
    float sum = i < n ? in[i] : 0.0f;
    float right = i + 1 < n ? in[i + 1] : 0.0f;
    sum += right; /* the step of stride 1 */
    partial[tid] = sum;
    for (unsigned s = 1; s < BLOCK; s <<= 1) {
        __syncthreads();
        if ((tid & (2 * s - 1)) != 0)
            continue;
        sum += partial[tid + s];
        partial[tid] = sum;
    }
    if (tid > 0)
        return;
    out[blockIdx.x] = sum;
}

struct device_floats {
    float *p = nullptr;
    explicit device_floats(size_t count) { cudaMalloc(&p, count * sizeof(float)); }
    ~device_floats() { cudaFree(p); }
    device_floats(const device_floats &) = delete;
};

static int sections(int n) { return n / S + (n % S != 0); }

void reduce_naive_partial(const float *d_in, float *d_partial, int n)
{
    if (n == 0)
        return;
    tree<<<dim3(sections(n)), dim3(BLOCK)>>>(d_in, d_partial, n);
    cudaError_t e = cudaPeekAtLastError();
    if (e != cudaSuccess)
        fprintf(stderr, "launch: %s\n", cudaGetErrorString(e));
}

void reduce_naive_total(const float *d_in, float *d_sum, int n)
{
    if (n == 0) {
        const float zero = 0;
        cudaMemcpy(d_sum, &zero, sizeof zero, cudaMemcpyHostToDevice);
    } else if (n <= S) {
        reduce_naive_partial(d_in, d_sum, n);
    } else {
        device_floats sums(sections(n));
        if (!sums.p)
            return;
        reduce_naive_partial(d_in, sums.p, n);
        reduce_naive_total(sums.p, d_sum, sections(n));
    }
}
