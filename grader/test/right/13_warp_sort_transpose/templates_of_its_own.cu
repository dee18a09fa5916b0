// expect: PASS | a program of its own: one network for keys and pairs, rows in variables
#include <cuda_runtime.h>

#include "warp_sort_transpose.h"

namespace
{

constexpr unsigned ALL = ~0u;
constexpr int T = WARP_SORT_TRANSPOSE_THREADS;

struct keyed {
    int key, value;
    __device__ keyed partner(int d) const
    {
        return { __shfl_xor_sync(ALL, key, d), __shfl_xor_sync(ALL, value, d) };
    }
    __device__ bool before(const keyed &b) const
    {
        return key < b.key || (key == b.key && value < b.value);
    }
};

struct bare {
    int key;
    __device__ bare partner(int d) const { return { __shfl_xor_sync(ALL, key, d) }; }
    __device__ bool before(const bare &b) const { return key < b.key; }
};

template <class item> __device__ item sorted(item x)
{
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int k = 0; k < 5; k++)
#pragma unroll
        for (int j = k; j >= 0; j--) {
            const item y = x.partner(1 << j);
            const bool first = (lane >> j & 1) == (k < 4 ? lane >> (k + 1) & 1 : 0);
            x = first ? (y.before(x) ? y : x) : (x.before(y) ? y : x);
        }
    return x;
}

__global__ void keys(const int *in, int *out, int n)
{
    const int i = blockIdx.x * T + threadIdx.x;
    const bare x = sorted(bare{ i < n ? in[i] : 2147483647 });
    if (i < n)
        out[i] = x.key;
}

__global__ void pairs(const int *key, const int *value, int *keys_out, int *values_out, int n)
{
    const int i = blockIdx.x * T + threadIdx.x;
    const keyed x = sorted(i < n ? keyed{ key[i], value[i] } : keyed{ 2147483647, 2147483647 });
    if (i < n) {
        keys_out[i] = x.key;
        values_out[i] = x.value;
    }
}

__device__ int lane_served(int lane, int f)
{
    int word = lane - f + 96;
    while (word % 3 != 0)
        word += 32;
    return word / 3 % 32;
}

__global__ void in3(const float *in, float *x, float *y, float *z, int n)
{
    const int i = blockIdx.x * T + threadIdx.x, lane = threadIdx.x & 31, from = 3 * (i - lane);
    float a = 0, b = 0, c = 0;
    if (from + lane < 3 * n)
        a = in[from + lane];
    if (from + lane + 32 < 3 * n)
        b = in[from + lane + 32];
    if (from + lane + 64 < 3 * n)
        c = in[from + lane + 64];
    float field[3];
#pragma unroll
    for (int f = 0; f < 3; f++) {
        const int row = (3 * lane_served(lane, f) + f) >> 5;
        const float give = row > 1 ? c : row > 0 ? b : a;
        field[f] = __shfl_sync(ALL, give, 3 * lane + f);
    }
    if (i < n) {
        x[i] = field[0];
        y[i] = field[1];
        z[i] = field[2];
    }
}

__global__ void out3(const float *x, const float *y, const float *z, float *out, int n)
{
    const int i = blockIdx.x * T + threadIdx.x, lane = threadIdx.x & 31, from = 3 * (i - lane);
    float a = 0, b = 0, c = 0;
    const float field[3] = { i < n ? x[i] : 0, i < n ? y[i] : 0, i < n ? z[i] : 0 };
#pragma unroll
    for (int f = 0; f < 3; f++) {
        const int of = lane_served(lane, f), row = (3 * of + f) >> 5;
        const float got = __shfl_sync(ALL, field[f], of);
        if (row == 0)
            a = got;
        else if (row == 1)
            b = got;
        else
            c = got;
    }
    if (from + lane < 3 * n)
        out[from + lane] = a;
    if (from + lane + 32 < 3 * n)
        out[from + lane + 32] = b;
    if (from + lane + 64 < 3 * n)
        out[from + lane + 64] = c;
}

int blocks(int n) { return (n - 1) / T + 1; }

}

void sort_keys(const int *in, int *out, int n)
{
    if (n > 0)
        keys<<<blocks(n), T>>>(in, out, n);
}

void sort_pairs(const int *key, const int *value, int *keys_out, int *values_out, int n)
{
    if (n > 0)
        pairs<<<blocks(n), T>>>(key, value, keys_out, values_out, n);
}

void structures_in(const float *in, float *x, float *y, float *z, int n)
{
    if (n > 0)
        in3<<<blocks(n), T>>>(in, x, y, z, n);
}

void structures_out(const float *x, const float *y, const float *z, float *out, int n)
{
    if (n > 0)
        out3<<<blocks(n), T>>>(x, y, z, out, n);
}
