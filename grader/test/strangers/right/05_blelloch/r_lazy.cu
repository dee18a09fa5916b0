// expect: PASS | nodes past a partial section's end are left alone; unsigned indices; __restrict__; padded everywhere but the plain ones
#include <cuda_runtime.h>

#include "blelloch.h"

enum : unsigned { P = BLELLOCH_THREADS, S = BLELLOCH_SECTION };

template <unsigned Pad> __device__ __forceinline__ unsigned w(unsigned i) { return Pad ? i + i / Pad : i; }

template <unsigned Pad> __device__ void up(float *__restrict__ s, unsigned count)
{
    for (unsigned d = 1; d < S; d *= 2) {
        unsigned r = (threadIdx.x + 1) * 2 * d - 1, l = r - d;
        __syncthreads();
        if (r < S && l < count)
            s[w<Pad>(r)] += s[w<Pad>(l)];
    }
}

template <unsigned Pad> __device__ void read(float *s, const float *g, unsigned count)
{
#pragma unroll 2
    for (unsigned k = threadIdx.x; k < S; k += P)
        s[w<Pad>(k)] = k < count ? __ldg(g + k) : 0.0f;
}

template <unsigned Pad> __device__ void write(float *g, const float *s, unsigned count)
{
    for (unsigned k = threadIdx.x; k < count; k += P)
        g[k] = s[w<Pad>(k)];
}

template <unsigned Pad>
__global__ void exclusive(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
    __shared__ float s[Pad ? S + S / 32 : S];
    const size_t first = (size_t)blockIdx.x * S;
    const unsigned count = min((unsigned)(n - first), (unsigned)S);
    read<Pad>(s, in + first, count);
    up<Pad>(s, count);
    if (threadIdx.x == 0)
        s[w<Pad>(S - 1)] = 0;
    for (unsigned d = S / 2; d; d /= 2) {
        unsigned r = (threadIdx.x + 1) * 2 * d - 1, l = r - d;
        __syncthreads();
        if (r < S && r + 1 - 2 * d < count) {
            float whole = s[w<Pad>(r)], part = s[w<Pad>(l)];
            s[w<Pad>(l)] = whole;
            if (l + 1 < count)
                s[w<Pad>(r)] = whole + part;
        }
    }
    __syncthreads();
    write<Pad>(out + first, s, count);
}

__global__ void inclusive(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
    __shared__ float s[S];
    const size_t first = (size_t)blockIdx.x * S;
    const unsigned count = min((unsigned)(n - first), (unsigned)S);
    read<0>(s, in + first, count);
    up<0>(s, count);
    for (unsigned d = S / 4; d; d /= 2) {
        unsigned end = (threadIdx.x + 1) * 2 * d - 1, to = end + d;
        __syncthreads();
        if (to < S && end + 1 < count)
            s[to] += s[end];
    }
    __syncthreads();
    write<0>(out + first, s, count);
}

static unsigned grid(int n) { return ((unsigned)n + S - 1) / S; }

void brent_kung_inclusive(const float *d_in, float *d_out, int n)
{
    if (unsigned g = grid(n))
        inclusive<<<g, P>>>(d_in, d_out, n);
}
void blelloch_exclusive(const float *d_in, float *d_out, int n)
{
    if (unsigned g = grid(n))
        exclusive<0><<<g, P>>>(d_in, d_out, n);
}
void blelloch_exclusive_padded(const float *d_in, float *d_out, int n)
{
    if (unsigned g = grid(n))
        exclusive<BLELLOCH_BANKS><<<g, P>>>(d_in, d_out, n);
}
