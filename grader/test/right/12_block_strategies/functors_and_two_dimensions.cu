#include <cuda_runtime.h>
#include <cstddef>
#include "block_strategies.h"

namespace
{
constexpr int W = 32, S = W * W;
constexpr unsigned ALL = ~0u;

template <int Width> struct Warp {
    int t;
    __device__ explicit Warp(int thread) : t(thread) {}
    __device__ unsigned mask() const
    {
        return Width == 32 ? ALL : ((1u << Width) - 1) << ((t & 31) / Width * Width);
    }
    __device__ float inclusive(float x) const
    {
        const int lane = t % Width;
#pragma unroll
        for (int d = 1; d < Width; d <<= 1) {
            const float y = __shfl_up_sync(mask(), x, d, Width);
            x = lane >= d ? x + y : x;
        }
        return x;
    }
};

template <int Width> class Propagate
{
    float (&sums)[Width];

  public:
    __device__ Propagate(float (&s)[Width]) : sums(s) {}
    __device__ float operator()(float x, int t) const
    {
        const Warp<Width> warp(t);
        const int row = t / Width, lane = t % Width;
        float y = warp.inclusive(x);
        if (lane == Width - 1)
            sums[row] = y;
        __syncthreads();
        if (t < Width)
            sums[t] = warp.inclusive(sums[t]);
        __syncthreads();
        return row ? y + sums[row - 1] : y;
    }
};

template <int Width>
__global__ void propagate(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float sums[Width];
    const int i = blockIdx.x * Width * Width + threadIdx.x;
    const float y = Propagate<Width>(sums)(i < n ? __ldg(in + i) : 0.f, threadIdx.x);
    if (i < n)
        out[i] = y;
}

template <int Width>
__global__ void rake(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[Width][Width + 1];
    const int row = threadIdx.x / Width, col = threadIdx.x % Width;
    const int i = blockIdx.x * Width * Width + threadIdx.x;
    tile[row][col] = i < n ? in[i] : 0.f;
    __syncthreads();
    if (threadIdx.x < Width) {
        const Warp<Width> warp(threadIdx.x);
        float *mine = tile[threadIdx.x];
        float sum = mine[0];
#pragma unroll
        for (int k = 1; k < Width; ++k)
            sum += mine[k];
        const float upto = warp.inclusive(sum);
        float run = __shfl_up_sync(warp.mask(), upto, 1, Width);
        if (threadIdx.x == 0) {
            run = mine[0];
        } else {
            run += mine[0];
        }
        mine[0] = run;
#pragma unroll
        for (int k = 1; k < Width; ++k)
            mine[k] = run += mine[k];
    }
    __syncthreads();
    if (i < n)
        out[i] = tile[row][col];
}

template <int Width>
__global__ void fans(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float last[5][Width];
    const int row = threadIdx.x / Width, lane = threadIdx.x % Width;
    const int i = blockIdx.x * Width * Width + threadIdx.x;
    float y = Warp<Width>(threadIdx.x).inclusive(i < n ? in[i] : 0.f);
    int level = 0;
#pragma unroll
    for (int g = 1; g < Width; g <<= 1, ++level) {
        if (lane == Width - 1)
            last[level][row] = y;
        __syncthreads();
        if (row & g)
            y += last[level][(row & ~(g - 1)) - 1];
    }
    if (i < n)
        out[i] = y;
}

template <int Width, typename Kernel> void launch(Kernel kernel, const float *in, float *out, int n)
{
    if (n <= 0)
        return;
    const unsigned blocks = (unsigned)((n + (long long)Width * Width - 1) / (Width * Width));
    kernel<<<dim3(blocks), dim3(Width * Width)>>>(in, out, n);
}
}    // namespace

extern "C" void block_propagate(const float *a, float *b, int n)
{
    launch<32>(propagate<32>, a, b, n);
}
extern "C" void block_raking(const float *a, float *b, int n) { launch<32>(rake<32>, a, b, n); }
extern "C" void block_sklansky(const float *a, float *b, int n) { launch<32>(fans<32>, a, b, n); }
