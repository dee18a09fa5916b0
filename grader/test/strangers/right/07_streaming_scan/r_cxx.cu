// expect: PASS | whole program in C++: templates, unique_ptr scratch, scan in registers, one piece of scratch, block-stride helper with a lambda
#include <cuda_runtime.h>
#include <memory>

#include "streaming_scan.h"

namespace {
constexpr int P = STREAMING_SCAN_THREADS, K = STREAMING_SCAN_PER_THREAD, T = STREAMING_SCAN_TILE;

struct link {
    volatile float prefix;
    volatile int ready;
};

struct progress {
    unsigned taken, pad;
    link of[1];
};

__device__ unsigned my_tile(progress *p)
{
    __shared__ unsigned s_mine;
    if (threadIdx.x + 1 == blockDim.x)
        s_mine = atomicInc(&p->taken, 0xffffffffu);
    __syncthreads();
    return s_mine;
}

__device__ float join(progress *p, unsigned tile, float sum)
{
    float before = 0.0f;
    if (tile != 0) {
        link &left = p->of[tile - 1];
        for (;;)
            if (left.ready)
                break;
        __threadfence();
        before = left.prefix;
    }
    link &own = p->of[tile];
    own.prefix = before + sum;
    __threadfence();
    own.ready = true;
    return before;
}

template <typename F> __device__ __forceinline__ void each(int limit, F f)
{
#pragma unroll
    for (int k = 0; k < K; k++) {
        const int i = k * P + (int)threadIdx.x;
        if (i < limit)
            f(i);
    }
}

__global__ void __launch_bounds__(P) prefixes(const float *__restrict__ in, float *out, int n, progress *p)
{
    __shared__ float s[P];
    const unsigned tile = my_tile(p), t = threadIdx.x;
    const float *mine = in + (size_t)tile * T;
    float sum = 0.0f;
    each(n - tile * T, [&](int i) { sum += mine[i]; });
    s[t] = sum;
    for (unsigned d = P / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[t] = sum = sum + s[t + d];
    }
    if (t == 0)
        out[tile] = join(p, tile, sum) + sum;
}

__global__ void __launch_bounds__(P) whole(const float *__restrict__ in, float *__restrict__ out, int n, progress *p)
{
    __shared__ float s[T], steps[2][P], s_before;
    const unsigned tile = my_tile(p), t = threadIdx.x;
    const size_t first = (size_t)tile * T;
    const int count = min(n - (int)first, T);

    each(T, [&](int i) { s[i] = i < count ? in[first + i] : 0.0f; });
    __syncthreads();
    float run[K], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < K; k++)
        run[k] = sum += s[t * K + k];
    int at = 0;
    steps[0][t] = sum;
    for (unsigned d = 1; d < P; d *= 2) {
        __syncthreads();
        if (t >= d)
            sum += steps[at][t - d];
        at ^= 1;
        steps[at][t] = sum;
    }
    if (t == P - 1)
        s_before = join(p, tile, sum);
    __syncthreads();
    const float before = t > 0 ? s_before + steps[at][t - 1] : s_before;
#pragma unroll
    for (int k = 0; k < K; k++)
        s[t * K + k] = before + run[k];
    __syncthreads();
    each(count, [&](int i) { out[first + i] = s[i]; });
}

unsigned tiles(int n) { return ((unsigned)n + T - 1) / T; }

auto free_device = [](progress *p) { cudaFree(p); };
using scratch = std::unique_ptr<progress, decltype(free_device)>;

scratch zeroed(int n)
{
    progress *p = nullptr;
    const size_t bytes = sizeof(progress) + tiles(n) * sizeof(link);
    if (cudaMalloc(&p, bytes) == cudaSuccess)
        cudaMemsetAsync(p, 0, bytes, 0);
    return scratch(p, free_device);
}
} // namespace

void streaming_scan_prefixes(const float *d_in, float *d_prefix, int n)
{
    if (n <= 0)
        return;
    if (auto p = zeroed(n))
        prefixes<<<tiles(n), P>>>(d_in, d_prefix, n, p.get());
}

void streaming_scan(const float *d_in, float *d_out, int n)
{
    if (n <= 0)
        return;
    if (auto p = zeroed(n)) {
        whole<<<tiles(n), P>>>(d_in, d_out, n, p.get());
        cudaDeviceSynchronize();
    }
}
