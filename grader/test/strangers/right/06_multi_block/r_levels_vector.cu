// expect: PASS | levels in a std::vector and a loop in place of recursion, managed memory, one Sum[] element for every tile
#include <cuda_runtime.h>
#include <memory>
#include <vector>

#include "multi_block.h"

static constexpr int P = MULTI_BLOCK_THREADS, K = MULTI_BLOCK_PER_THREAD, T = MULTI_BLOCK_TILE;

__device__ __forceinline__ int pad(int i) { return i + (i >> 5); }

/* scan of the tile in shared memory, runs kept in registers */
__device__ void tile_scan(const float *in, float *out, int first, int n, float carry, float *total)
{
    __shared__ float s[T + T / 32];
    __shared__ float level[2][P];
    const int t = threadIdx.x;
    float run[K];

#pragma unroll
    for (int k = 0; k < K; k++) {
        int i = k * P + t;
        s[pad(i)] = i < n - first ? in[first + i] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < K; k++)
        run[k] = sum += s[pad(t * K + k)];
    float all = sum;
    int b = 0;
    for (int d = 1; d < P; d *= 2, b = !b) {
        level[b][t] = all;
        __syncthreads();
        if (t >= d)
            all += level[b][t - d];
    }
    level[b][t] = all;
    __syncthreads();
    float before = carry;
    if (t > 0)
        before += level[b][t - 1];
#pragma unroll
    for (int k = 0; k < K; k++)
        s[pad(t * K + k)] = before + run[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < K; k++) {
        int i = k * P + t;
        if (i < n - first)
            out[first + i] = s[pad(i)];
    }
    if (total && t == P - 1)
        *total = all;
}

__global__ void scan_each(const float *in, float *out, float *sums, int n)
{
    tile_scan(in, out, blockIdx.x * T, n, 0.0f, sums ? sums + blockIdx.x : nullptr);
}

__global__ void scan_carry(const float *in, float *out, const float *sums, int n)
{
    tile_scan(in, out, blockIdx.x * T, n, blockIdx.x ? sums[blockIdx.x - 1] : 0.0f, nullptr);
}

__global__ void add_before(float *out, const float *sums, int n)
{
    if (blockIdx.x == 0)
        return;
    const float before = sums[blockIdx.x - 1];
    for (int i = blockIdx.x * T + threadIdx.x, k = 0; k < K; k++, i += P)
        if (i < n && i >= 0)
            out[i] += before;
}

__global__ void sum_each(const float *in, float *sums, int n)
{
    __shared__ float s[P];
    const int t = threadIdx.x, first = blockIdx.x * T;
    float sum = 0.0f;
    for (int k = t; k < T && k < n - first; k += P)
        sum += in[first + k];
    s[t] = sum;
    for (int d = P / 2; d; d /= 2) {
        __syncthreads();
        if (t < d)
            s[t] = sum += s[t + d];
    }
    if (t == 0)
        sums[blockIdx.x] = sum;
}

struct release {
    void operator()(float *p) const { cudaFree(p); }
};
typedef std::unique_ptr<float, release> device_array;

static int tiles(int n) { return (n - 1) / T + 1; }

struct level {
    device_array sums;
    int tiles;
};

static bool make_levels(std::vector<level> &levels, int n)
{
    for (int m = tiles(n); m > 1; m = tiles(m)) {
        float *p = nullptr;
        if (cudaMallocManaged(&p, m * sizeof(float)) != cudaSuccess)
            return false;
        levels.push_back({ device_array(p), m });
    }
    return true;
}

void scan_then_propagate(const float *d_in, float *d_out, int n)
{
    std::vector<level> levels;
    if (n <= 0 || !make_levels(levels, n))
        return;
    scan_each<<<tiles(n), P>>>(d_in, d_out, levels.empty() ? nullptr : levels[0].sums.get(), n);
    for (size_t k = 0; k < levels.size(); k++)
        scan_each<<<tiles(levels[k].tiles), P>>>(levels[k].sums.get(), levels[k].sums.get(),
                                                 k + 1 < levels.size() ? levels[k + 1].sums.get() : nullptr,
                                                 levels[k].tiles);
    for (size_t k = levels.size(); k-- > 0;) {
        float *out = k ? levels[k - 1].sums.get() : d_out;
        int m = k ? levels[k - 1].tiles : n;
        add_before<<<levels[k].tiles, P>>>(out, levels[k].sums.get(), m);
    }
}

void reduce_then_scan(const float *d_in, float *d_out, int n)
{
    std::vector<level> levels;
    if (n <= 0 || !make_levels(levels, n))
        return;
    const float *in = d_in;
    int m = n;
    for (auto &l : levels) {
        sum_each<<<l.tiles, P>>>(in, l.sums.get(), m);
        in = l.sums.get();
        m = l.tiles;
    }
    for (size_t k = levels.size(); k != (size_t)-1; k--) {
        const float *from = k ? levels[k - 1].sums.get() : d_in;
        float *to = k ? levels[k - 1].sums.get() : d_out;
        int count = k ? levels[k - 1].tiles : n;
        scan_carry<<<tiles(count), P>>>(from, to, k < levels.size() ? levels[k].sums.get() : nullptr, count);
    }
}
