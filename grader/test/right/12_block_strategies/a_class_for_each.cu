// expect: PASS | a program of its own: two templates, no step, raking through registers
#include <cuda_runtime.h>

#include "block_strategies.h"

namespace
{

constexpr int W = BLOCK_STRATEGIES_WIDTH, S = BLOCK_STRATEGIES_SECTION;
constexpr unsigned ALL = ~0u;

__device__ float up(float x)
{
#pragma unroll
    for (int d = 1; d < W; d <<= 1) {
        const float y = __shfl_up_sync(ALL, x, d);
        x = (threadIdx.x & 31) < d ? x : x + y;
    }
    return x;
}

struct fans_once {
    float total[W];
    __device__ float scan(float x)
    {
        const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
        x = up(x);
        if (lane == 31)
            total[warp] = x;
        __syncthreads();
        if (warp == 31)
            total[lane] = up(total[lane]);
        __syncthreads();
        return warp ? x + total[warp - 1] : x;
    }
};

struct rake {
    float grid[W][W + 1];
    __device__ float scan(float x)
    {
        const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
        grid[warp][lane] = x;
        __syncthreads();
        if (warp == 0) {
            float mine[W], sum = mine[0] = grid[lane][0];
#pragma unroll
            for (int k = 1; k < W; k++)
                mine[k] = sum += grid[lane][k];
            const float before = __shfl_up_sync(ALL, up(sum), 1);
#pragma unroll
            for (int k = 0; k < W; k++)
                grid[lane][k] = lane ? mine[k] + before : mine[k];
        }
        __syncthreads();
        return grid[warp][lane];
    }
};

struct fans_by_levels {
    float total[5][W];
    __device__ float scan(float x)
    {
        const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
        x = up(x);
        for (unsigned level = 0; level < 5; level++) {
            if (lane == 31)
                total[level][warp] = x;
            __syncthreads();
            if (warp >> level & 1)
                x += total[level][(warp >> level << level) - 1];
        }
        return x;
    }
};

template <class way> __global__ void sections(const float *in, float *out, int n)
{
    __shared__ way one;
    const int i = blockIdx.x * S + threadIdx.x;
    const float sum = one.scan(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}

template <class way> void launch(const float *in, float *out, int n)
{
    if (n > 0)
        sections<way><<<(n - 1) / S + 1, S>>>(in, out, n);
}

}

void block_propagate(const float *in, float *out, int n) { launch<fans_once>(in, out, n); }
void block_raking(const float *in, float *out, int n) { launch<rake>(in, out, n); }
void block_sklansky(const float *in, float *out, int n) { launch<fans_by_levels>(in, out, n); }
