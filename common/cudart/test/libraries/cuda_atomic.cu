// shows: cuda::atomic, cuda::atomic_ref: a sum, a maximum, release and acquire, a histogram
// needs: cuda/atomic
#include <cuda/atomic>

#include "check.h"

struct state {
    cuda::atomic<int, cuda::thread_scope_device> sum;
    cuda::atomic<unsigned, cuda::thread_scope_device> most;
};

__global__ void begin(state *s)
{
    new (s) state;
    s->sum.store(0, cuda::memory_order_relaxed);
    s->most.store(0u);
}

__global__ void count(state *s, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s->sum.fetch_add(x[i], cuda::std::memory_order_relaxed);
    unsigned old = s->most.load(cuda::memory_order_relaxed);
    while (old < (unsigned)x[i] &&
           !s->most.compare_exchange_weak(old, x[i], cuda::memory_order_relaxed)) {
    }
}

__global__ void end(state *s, int *out)
{
    out[0] = s->sum;
    out[1] = (int)s->most.load();
}

__global__ void pass(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> set(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *data = 42;
        set.store(1, cuda::std::memory_order_release);
    } else {
        while (set.load(cuda::std::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}

__global__ void histogram(const int *x, int n, int *bins)
{
    __shared__ int own[64];
    if (threadIdx.x < 64)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        cuda::atomic_ref<int, cuda::thread_scope_block> bin(own[x[i] % 64]);
        bin.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        cuda::atomic_ref<int, cuda::thread_scope_device> bin(bins[threadIdx.x]);
        bin += own[threadIdx.x];
    }
}

int main()
{
    const int n = 1000;
    std::vector<int> x = numbers(n, 500), wanted(2), bins(64);
    on_device<int> in(x), out(2), passed(std::vector<int>(3)), counted(bins);
    on_device<state> s(1);
    for (int one : x) {
        wanted[0] += one;
        wanted[1] = one > wanted[1] ? one : wanted[1];
        bins[one % 64]++;
    }
    begin<<<1, 1>>>(s);
    count<<<8, 128>>>(s, in, n);
    end<<<1, 1>>>(s, out);
    same("a sum, a maximum", out.back(), wanted);
    pass<<<2, 32>>>(passed, passed + 1, passed + 2);
    holds("what a flag publishes", passed.back()[2] == 42);
    histogram<<<3, 128>>>(in, n, counted);
    same("histogram", counted.back(), bins);
    return verdict();
}
