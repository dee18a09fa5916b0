#include <cuda_runtime.h>
#include "warp_sort_transpose.h"

namespace
{
constexpr unsigned kAll = 0xffffffffu;
struct Pair {
    int key, value;
    __device__ bool operator<(const Pair &o) const
    {
        return key < o.key || (key == o.key && value < o.value);
    }
};
struct Key {
    int key;
    __device__ bool operator<(const Key &o) const { return key < o.key; }
};
__device__ Pair partner(Pair p, int d)
{
    return { __shfl_xor_sync(kAll, p.key, d), __shfl_xor_sync(kAll, p.value, d) };
}
__device__ Key partner(Key p, int d) { return { __shfl_xor_sync(kAll, p.key, d) }; }

template <typename T, int Run> struct Rounds {
    static __device__ T sort(T own, int lane)
    {
        own = Rounds<T, Run / 2>::sort(own, lane);
#pragma unroll
        for (int d = Run / 2; d; d >>= 1) {
            const T other = partner(own, d);
            const bool keep_min = !(lane & d) == !(lane & Run);
            const bool swap = keep_min ? other < own : own < other;
            own = swap ? other : own;
        }
        return own;
    }
};
template <typename T> struct Rounds<T, 1> {
    static __device__ T sort(T own, int) { return own; }
};

__global__ void keys(const int *__restrict__ in, int *__restrict__ out, int n)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    Key k{ i < n ? in[i] : 0x7fffffff };
    k = Rounds<Key, 32>::sort(k, threadIdx.x & 31);
    if (i < n)
        out[i] = k.key;
}
__global__ void pairs(const int *__restrict__ k, const int *__restrict__ v, int *ok, int *ov, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair p{ 0x7fffffff, 0x7fffffff };
    if (i < n)
        p = { k[i], v[i] };
    p = Rounds<Pair, 32>::sort(p, threadIdx.x & 31);
    if (i < n) {
        ok[i] = p.key;
        ov[i] = p.value;
    }
}
/* rotation: lane l has word (l + r * 32); three selects and three shuffles */
__global__ void in3(const float *__restrict__ d, float *x, float *y, float *z, int n)
{
    const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x,
              base = 3 * (i - lane);
    float a = 0, b = 0, c = 0;
    if (base + lane < 3 * n)
        a = d[base + lane];
    if (base + lane + 32 < 3 * n)
        b = d[base + lane + 32];
    if (base + lane + 64 < 3 * n)
        c = d[base + lane + 64];
    float r[3];
    for (int f = 0; f < 3; f++) {
        const int reader = (lane - f + 32) * 11 & 31, row = (3 * reader + f) >> 5;
        float offer = a;
        if (row == 1)
            offer = b;
        if (row == 2)
            offer = c;
        r[f] = __shfl_sync(kAll, offer, 3 * lane + f);
    }
    if (i < n) {
        x[i] = r[0];
        y[i] = r[1];
        z[i] = r[2];
    }
}
__global__ void out3(const float *x, const float *y, const float *z, float *__restrict__ d, int n)
{
    const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x,
              base = 3 * (i - lane);
    const bool in = i < n;
    const float f0 = in ? x[i] : 0, f1 = in ? y[i] : 0, f2 = in ? z[i] : 0;
    float w[3] = {};
    for (int f = 0; f < 3; f++) {
        const int owner = (lane - f + 32) * 11 & 31;
        const float v = __shfl_sync(kAll, f == 0 ? f0 : f == 1 ? f1 : f2, owner);
        switch ((3 * owner + f) / 32) {
        case 0: w[0] = v; break;
        case 1: w[1] = v; break;
        default: w[2] = v;
        }
    }
    for (int r = 0; r < 3; r++)
        if (base + 32 * r + lane < 3 * n)
            d[base + 32 * r + lane] = w[r];
}
unsigned grid(int n) { return n / 256 + (n % 256 != 0); }
}    // namespace
void sort_keys(const int *k, int *o, int n)
{
    if (n > 0)
        keys<<<grid(n), 256>>>(k, o, n);
}
void sort_pairs(const int *k, const int *v, int *ok, int *ov, int n)
{
    if (n > 0)
        pairs<<<grid(n), 256>>>(k, v, ok, ov, n);
}
void structures_in(const float *d, float *x, float *y, float *z, int n)
{
    if (n > 0)
        in3<<<grid(n), 256>>>(d, x, y, z, n);
}
void structures_out(const float *x, const float *y, const float *z, float *d, int n)
{
    if (n > 0)
        out3<<<grid(n), 256>>>(x, y, z, d, n);
}
