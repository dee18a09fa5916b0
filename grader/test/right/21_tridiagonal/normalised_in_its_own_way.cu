// expect: PASS | rows are divided by their b when they are loaded, and kept so; C++ where it helps
#include <cuda_runtime.h>
#include "tridiagonal.h"

namespace {

constexpr int kThreads = 256;
constexpr unsigned kPad = 8;

// x[i] = r - l * x[i - h] - u * x[i + h]
struct Eq
{
    float l, r, u;
};

template <int Stride> struct Store
{
    float l[kThreads * 5 / 4], r[kThreads * 5 / 4], u[kThreads * 5 / 4];
    __device__ static int at(int i) { return Stride == 0 ? i : i + (i >> 5); }
    __device__ Eq get(int i) const
    {
        if (i < 0 || i >= kThreads)
            return Eq{0.f, 0.f, 0.f};
        int p = at(i);
        return Eq{l[p], r[p], u[p]};
    }
    __device__ void set(int i, Eq e)
    {
        int p = at(i);
        l[p] = e.l;
        r[p] = e.r;
        u[p] = e.u;
    }
};

__device__ Eq merge(Eq below, Eq e, Eq above)
{
    float s = 1.f / (1.f - e.l * below.u - e.u * above.l);
    return Eq{-e.l * below.l * s, (e.r - e.l * below.r - e.u * above.r) * s, -e.u * above.u * s};
}

__device__ Eq fetch(const float *a, const float *b, const float *c, const float *d, int i, int n)
{
    Eq e = {0.f, 0.f, 0.f};
    if (i >= n)
        return e;
    int k = i & (kThreads - 1);
    float inv = b[i];
    e.r = d[i] / inv;
    e.l = k == 0 ? 0.f : a[i] / inv;
    e.u = (k == kThreads - 1 || i == n - 1) ? 0.f : c[i] / inv;
    return e;
}

__device__ float pcr(Eq e, Store<0> &s)
{
    const int t = threadIdx.x;
#pragma unroll 1
    for (int h = 1; h < kThreads; h <<= 1) {
        s.set(t, e);
        __syncthreads();
        Eq below = s.get(t - h), above = s.get(t + h);
        __syncthreads();
        e = merge(below, e, above);
    }
    return e.r;
}

__global__ void k_pcr(const float *a, const float *b, const float *c, const float *d, float *x, int n)
{
    __shared__ Store<0> s;
    int i = blockIdx.x * kThreads + threadIdx.x;
    float v = pcr(fetch(a, b, c, d, i, n), s);
    if (i < n)
        x[i] = v;
}

// Evens are eliminated: what is left are the odd rows, until rows 127 and 255 see only each other.
__global__ void k_cr(const float *a, const float *b, const float *c, const float *d, float *x, int n)
{
    __shared__ Store<1> s;
    const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
    s.set(t, fetch(a, b, c, d, i, n));
    int active = kThreads / 2, h = 1;
    for (; active > 1; active >>= 1, h <<= 1) {
        __syncthreads();
        if (t < active) {
            int k = (t + 1) * 2 * h - 1;
            s.set(k, merge(s.get(k - h), s.get(k), s.get(k + h)));
        }
    }
    __syncthreads();
    if (t < 2) {
        // x0 = r0 - u0 x1; x1 = r1 - l1 x0
        Eq first = s.get(kThreads / 2 - 1), second = s.get(kThreads - 1);
        float det = 1.f / (1.f - first.u * second.l);
        float v = t == 0 ? (first.r - first.u * second.r) * det : (second.r - second.l * first.r) * det;
        __syncwarp(3);
        s.r[s.at(t == 0 ? kThreads / 2 - 1 : kThreads - 1)] = v;
    }
    for (h = kThreads / 4, active = 2; h > 0; h >>= 1, active <<= 1) {
        __syncthreads();
        if (t < active) {
            int k = 2 * h * t + h - 1;
            Eq e = s.get(k);
            float from_below = k - h < 0 ? 0.f : s.r[s.at(k - h)];
            s.r[s.at(k)] = e.r - e.l * from_below - e.u * s.r[s.at(k + h)];
        }
    }
    __syncthreads();
    if (i < n)
        x[i] = s.r[s.at(t)];
}

// ---- water

__device__ float wet(float h, float g) { return fmaxf(h - g, 0.f); }

__device__ float gate(float p, float q) { return fminf(p, q) > 0.f ? WATER_FLOW * (p + q) : 0.f; }

__device__ Eq cell(float left, float own, float right, float rhs)
{
    float f = gate(left, own), g = gate(own, right), inv = 1.f / (1.f + f + g);
    return Eq{-f * inv, rhs * inv, -g * inv};
}

__global__ void k_rows(const float *ground, const float *before, const float *now, float *half, int n)
{
    __shared__ float deep[kThreads + 2];
    __shared__ Store<0> s;
    int t = threadIdx.x, i = blockIdx.x * kThreads + t;
    float h = 0.f, r = 0.f, w = 0.f;
    if (i < n) {
        h = now[i];
        r = h + (h - before[i]);
        w = wet(h, ground[i]);
    }
    deep[t + 1] = w;
    if (t < 2)
        deep[t * (kThreads + 1)] = 0.f;
    __syncthreads();
    float v = pcr(cell(deep[t], w, deep[t + 2], r), s);
    if (i < n)
        half[i] = v;
}

// A cell of the tile after the other, 9 words a row of it, so that a column has an odd step.
__global__ void k_columns(const float *ground, const float *now, const float *half, float *next, int n)
{
    __shared__ float deep[kThreads * 9], high[kThreads * 9];
    __shared__ Store<0> s;
    const int t = threadIdx.x, x = blockIdx.x * 8 + (t & 7);
    for (int pass = 0; pass < 8; pass++) {
        int y = pass * 32 + (t >> 3), i = y * WATER_WIDTH + x;
        bool in = i < n;
        deep[y * 9 + (t & 7)] = in ? wet(now[i], ground[i]) : 0.f;
        high[y * 9 + (t & 7)] = in ? half[i] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        float left = t ? deep[(t - 1) * 9 + k] : 0.f, own = deep[t * 9 + k];
        float right = t < 255 ? deep[(t + 1) * 9 + k] : 0.f;
        high[t * 9 + k] = pcr(cell(left, own, right, high[t * 9 + k]), s);
    }
    __syncthreads();
    for (int pass = 0; pass < 8; pass++) {
        int y = pass * 32 + (t >> 3), i = y * WATER_WIDTH + x;
        if (i < n)
            next[i] = high[y * 9 + (t & 7)];
    }
}

int blocks(int n) { return n / kThreads + (n % kThreads != 0); }

} // namespace

void tridiagonal_cyclic(const float *a, const float *b, const float *c, const float *d, float *x, int n)
{
    if (n)
        k_cr<<<blocks(n), kThreads>>>(a, b, c, d, x, n);
}

void tridiagonal_parallel(const float *a, const float *b, const float *c, const float *d, float *x, int n)
{
    if (n)
        k_pcr<<<blocks(n), kThreads>>>(a, b, c, d, x, n);
}

void water_rows(const float *ground, const float *before, const float *now, float *half, int n)
{
    if (n)
        k_rows<<<blocks(n), kThreads>>>(ground, before, now, half, n);
}

void water_columns(const float *ground, const float *now, const float *half, float *next, int n)
{
    if (n)
        k_columns<<<n < WATER_WIDTH ? (n + 7) / 8 : WATER_WIDTH / 8, kThreads>>>(ground, now, half, next, n);
}

void water_step(const float *ground, const float *before, const float *now, float *next, int n)
{
    water_rows(ground, before, now, next, n);
    water_columns(ground, now, next, next, n);
}
