// expect: PASS | blocks of 16 x 16, helper functions, cudaMallocAsync scratch in one piece
#include <cuda_runtime.h>

#include "naive_reduction.h"

#define S NAIVE_REDUCTION_SECTION
#define B NAIVE_REDUCTION_BLOCK

__device__ static inline int rank_in_block() { return threadIdx.y * blockDim.x + threadIdx.x; }

__device__ void load(float (&s)[S], const float *in, unsigned begin, unsigned end)
{
    for (int k = rank_in_block(); k < S; k += B) {
        s[k] = 0.0f;
        if (begin + k < end)
            s[k] = in[begin + k];
    }
}

__device__ void step(float (&s)[S], int stride)
{
    int t = rank_in_block();
    if (t % stride == 0) {
        float &left = s[2 * t];
        left = left + s[2 * t + stride];
    }
}

__global__ void sum_sections(const float *in, float *out, unsigned n)
{
    __shared__ float s[S];
    load(s, in, blockIdx.x * S, n);
    __syncthreads();
#pragma unroll
    for (int stride = 1; stride < S; stride += stride) {
        step(s, stride);
        __syncthreads();
    }
    if (threadIdx.x == 0 && threadIdx.y == 0)
        out[blockIdx.x] = *s;
}

static unsigned up(unsigned n) { return (n + S - 1u) / S; }

void reduce_naive_partial(const float *d_in, float *d_partial, int n)
{
    const dim3 block(16, 16);
    if (n > 0)
        sum_sections<<<up(n), block, 0, cudaStreamPerThread == nullptr ? nullptr : 0>>>(d_in, d_partial, n);
}

void reduce_naive_total(const float *d_in, float *d_sum, int n)
{
    if (n <= 0) {
        cudaMemsetAsync(d_sum, 0, 4);
        return;
    }
    /* all levels in one piece */
    size_t room = 0;
    for (unsigned m = n; m > S; m = up(m))
        room += up(m);
    float *scratch = nullptr;
    if (room && cudaMallocAsync((void **)&scratch, room * sizeof(float), 0) != cudaSuccess)
        return;
    const float *from = d_in;
    float *to = scratch;
    unsigned m = n;
    for (; m > S; m = up(m)) {
        reduce_naive_partial(from, to, (int)m);
        from = to;
        to += up(m);
    }
    reduce_naive_partial(from, d_sum, (int)m);
    if (scratch)
        cudaFreeAsync(scratch, 0);
}
