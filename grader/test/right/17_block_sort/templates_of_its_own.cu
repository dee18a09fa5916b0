// expect: PASS | a program of its own: templates, eight neighbours a thread, no steps
#include <cuda_runtime.h>

#include "block_sort.h"

constexpr int threads = RADIX_THREADS, tile_keys = RADIX_TILE, each = 8;

template <class K> struct order;
template <> struct order<unsigned> {
    using bits = unsigned;
    static __device__ bits of(unsigned k) { return k; }
    static __device__ unsigned back(bits b) { return b; }
};
template <> struct order<float> {
    using bits = unsigned;
    static __device__ bits of(float f)
    {
        const int k = __float_as_int(f);
        return (unsigned)(k ^ (k >> 31 | (int)0x80000000));
    }
    static __device__ float back(bits b)
    {
        return __uint_as_float((int)b < 0 ? b - 0x80000000u : ~b);
    }
};

static __device__ int warp_scan(int v)
{
    for (int d = 1; d < 32; d *= 2) {
        const int left = __shfl_up_sync(~0u, v, d);
        v += (int)(threadIdx.x % 32) >= d ? left : 0;
    }
    return v;
}

/* One barrier; the caller has another one before it calls this again. */
static __device__ int block_scan(int v, int *s_warp, int *all)
{
    const int sum = warp_scan(v), warp = threadIdx.x / 32;
    int before = 0, total = 0;

    if (threadIdx.x % 32 == 31)
        s_warp[warp] = sum;
    __syncthreads();
    for (int w = 0; w < threads / 32; w++) {
        before += w < warp ? s_warp[w] : 0;
        total += s_warp[w];
    }
    *all = total;
    return before + sum - v;
}

/* ---- bit by bit: a thread has eight neighbours ----------------------------------------------- */

template <class K> __global__ void by_bits(const K *in, K *out, int n, int first, int end)
{
    using bits = typename order<K>::bits;
    __shared__ bits s_key[tile_keys];
    __shared__ int s_warp[threads / 32];
    const int from = blockIdx.x * tile_keys, t = threadIdx.x;
    bits own[each];

    for (int i = t; i < tile_keys; i += threads)
        s_key[i] = from + i < n ? order<K>::of(in[from + i]) : ~bits(0);
    __syncthreads();
    for (int bit = first; bit < end; bit++) {
        int zeros = 0, all;
        for (int k = 0; k < each; k++) {
            own[k] = s_key[t * each + k];
            zeros += !(own[k] >> bit & 1);
        }
        int before = block_scan(zeros, s_warp, &all); /* after its barrier all have their keys */
        for (int k = 0; k < each; k++) {
            const bool one = own[k] >> bit & 1;
            s_key[one ? all + t * each + k - before : before] = own[k];
            before += !one;
        }
        __syncthreads();
    }
    for (int i = t; i < tile_keys; i += threads)
        if (from + i < n)
            out[from + i] = order<K>::back(s_key[i]);
}

static int tiles_of(int n) { return (n + tile_keys - 1) / tile_keys; }

extern "C" void radix_split(const unsigned *in, unsigned *out, int n)
{
    if (n > 0)
        by_bits<<<tiles_of(n), threads>>>(in, out, n, radix_bit(n), radix_bit(n) + 1);
}
extern "C" void radix_block_u32(const unsigned *in, unsigned *out, int n)
{
    if (n > 0)
        by_bits<<<tiles_of(n), threads>>>(in, out, n, radix_first_bit(n), radix_end_bit(n));
}
extern "C" void radix_block_f32(const float *in, float *out, int n)
{
    if (n > 0)
        by_bits<<<tiles_of(n), threads>>>(in, out, n, 0, 32);
}
