// expect: PASS | steps by template recursion, division in place of the mask, table of launches in a vector
#include <cuda_runtime.h>
#include <vector>

#include "naive_reduction.h"

template <unsigned Stride> struct steps {
    static __device__ __forceinline__ void run(float *s, unsigned t)
    {
        __syncthreads();
        unsigned q = t / Stride;
        if (q * Stride == t)
            s[t * 2] = s[t * 2 + Stride] + s[t * 2];
        steps<Stride * 2>::run(s, t);
    }
};
template <> struct steps<NAIVE_REDUCTION_SECTION> {
    static __device__ __forceinline__ void run(float *, unsigned) {}
};

template <typename T> __global__ void kernel(const T *const in, T *const out, const unsigned n)
{
    __shared__ alignas(16) T s[NAIVE_REDUCTION_SECTION];
    unsigned t = threadIdx.x, i = NAIVE_REDUCTION_SECTION * blockIdx.x + threadIdx.x;
    if (i < n)
        s[t] = __ldg(&in[i]);
    else
        s[t] = 0;
    if (i + NAIVE_REDUCTION_BLOCK < n)
        s[t + NAIVE_REDUCTION_BLOCK] = __ldg(&in[i + NAIVE_REDUCTION_BLOCK]);
    else
        s[t + NAIVE_REDUCTION_BLOCK] = 0;
    steps<1>::run(s, t);
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" void reduce_naive_partial(const float *d_in, float *d_partial, int n)
{
    unsigned blocks = ((unsigned)n + 511) / 512;
    if (blocks != 0)
        kernel<float><<<blocks, 256>>>(d_in, d_partial, (unsigned)n);
}

extern "C" void reduce_naive_total(const float *d_in, float *d_sum, int n)
{
    if (n == 0)
        cudaMemset(d_sum, 0, sizeof(float));
    std::vector<unsigned> sizes;
    for (unsigned m = n; m > 0; m = m == 1 ? 0 : (m + 511) / 512)
        sizes.push_back(m);
    if (sizes.size() == 1)
        sizes.push_back(1); /* n = 1 */
    std::vector<float *> level;
    level.push_back(const_cast<float *>(d_in));
    for (size_t k = 1; k + 1 < sizes.size(); k++) {
        float *p = NULL;
        if (cudaMalloc(&p, sizes[k] * sizeof *p) != cudaSuccess)
            break;
        level.push_back(p);
    }
    level.push_back(d_sum);
    if (n > 0 && level.size() == sizes.size())
        for (size_t k = 0; k + 1 < sizes.size(); k++)
            reduce_naive_partial(level[k], level[k + 1], sizes[k]);
    for (size_t k = 1; k + 1 < level.size(); k++)
        cudaFree(level[k]);
}
