// expect: PASS | blocks add to sums of the entry's own, and the last one moves them to d_count
#include <cuda_runtime.h>
#include "histogram_speed.h"
namespace {
constexpr int T = HISTOGRAM_THREADS, B = HISTOGRAM_BINS;
struct board { unsigned done, pad[3], sum[B]; };
template <int Bytes> __device__ __forceinline__ void count(unsigned *mine, unsigned w)
{
    if (Bytes == 1) {
        atomicAdd(mine + 32 * (w & 255), 1u);
        atomicAdd(mine + 32 * (w >> 8 & 255), 1u);
        atomicAdd(mine + 32 * (w >> 16 & 255), 1u);
    }
    atomicAdd(mine + 32 * (w >> 24), 1u);
}
template <class P>
__global__ __launch_bounds__(T) void histogram(const P *in, unsigned *out, board *b, int n)
{
    constexpr int each = 16 / sizeof(P);
    extern __shared__ __align__(16) unsigned s[];
    __shared__ bool s_last;
    const int t = threadIdx.x;
    uint4 *zero = (uint4 *)s;
#pragma unroll
    for (int k = 0; k < B * 32 / 4 / T; k++) zero[k * T + t] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    unsigned *mine = s + (t & 31);
    const int vectors = n / each, stride = gridDim.x * T;
    const uint4 *v = (const uint4 *)in;
    for (int i = blockIdx.x * T + t; i < vectors; i += stride) {
        const uint4 p = __ldcs(v + i);
        count<sizeof(P)>(mine, p.x), count<sizeof(P)>(mine, p.y);
        count<sizeof(P)>(mine, p.z), count<sizeof(P)>(mine, p.w);
    }
    for (int i = vectors * each + blockIdx.x * T + t; i < n; i += stride)
        atomicAdd(mine + 32 * (unsigned(in[i]) >> 8 * (sizeof(P) - 1)), 1u);
    __syncthreads();
    unsigned sum = 0;
#pragma unroll 8
    for (int k = 0; k < 32; k++) sum += s[32 * t + (k + t & 31)];
    if (sum) atomicAdd(&b->sum[t], sum);
    __threadfence();
    __syncthreads();
    if (t == 0) s_last = atomicInc(&b->done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (s_last) {
        __threadfence();
        out[t] = atomicExch(&b->sum[t], 0u);
    }
}
template <class P> void run(const P *in, unsigned *out, int n)
{
    static board *b;
    if (!b) {
        if (cudaMalloc(&b, sizeof *b) != cudaSuccess) { b = nullptr; return; }
        cudaMemset(b, 0, sizeof *b);
    }
    const long long pieces = ((long long)n * sizeof(P) + 8191) / 8192;
    const unsigned blocks = pieces < 1 ? 1 : pieces > 264 ? 264 : unsigned(pieces);
    histogram<P><<<blocks, T, B * 32 * 4>>>(in, out, b, n);
}
} // namespace
void histogram_speed_u8(const unsigned char *d_in, unsigned *d_count, int n)
{
    run(d_in, d_count, n);
}
void histogram_speed_u32(const unsigned *d_in, unsigned *d_count, int n) { run(d_in, d_count, n); }
