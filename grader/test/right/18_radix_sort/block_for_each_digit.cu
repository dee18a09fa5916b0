// expect: PASS | a block scans each digit's row of the table, however few tiles there are
/* Reduce-then-scan and one sweep a digit, for any key type: ranks by __match_any_sync and a row of
   counters for each warp; look-back by a thread a digit with relaxed loads; one allocation. */
#include <cuda_runtime.h>
#include <cstdint>
#include <type_traits>
#include "radix_sort.h"
namespace
{
constexpr int T = RADIX_THREADS, TILE = RADIX_TILE, K = TILE / T, W = T / 32, D = RADIX_DIGITS,
              B = RADIX_BITS;
constexpr unsigned FULL = ~0u;

template <class E> struct order; /* key <-> unsigned in the same order */
template <> struct order<unsigned> {
    using word = unsigned;
    static __device__ word in(unsigned x) { return x; }
    static __device__ unsigned out(word w) { return w; }
};
template <> struct order<int> {
    using word = unsigned;
    static __device__ word in(int x) { return unsigned(x) ^ 0x80000000u; }
    static __device__ int out(word w) { return int(w ^ 0x80000000u); }
};
template <> struct order<float> {
    using word = unsigned;
    static __device__ word in(float x)
    {
        const unsigned b = __float_as_uint(x);
        return b >> 31 ? ~b : b | 0x80000000u;
    }
    static __device__ float out(word w) { return __uint_as_float(w >> 31 ? w & 0x7fffffffu : ~w); }
};
template <> struct order<long long> {
    using word = unsigned long long;
    static __device__ word in(long long x) { return (unsigned long long)x ^ (1ull << 63); }
    static __device__ long long out(word w) { return (long long)(w ^ (1ull << 63)); }
};

struct digit {
    int shift;
    unsigned mask;
    template <class X> __device__ unsigned operator()(X w) const
    {
        return unsigned(w >> shift) & mask;
    }
};

__device__ unsigned block_exclusive(unsigned v, unsigned *room)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned s = v;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const unsigned y = __shfl_up_sync(FULL, s, d);
        if (lane >= d)
            s += y;
    }
    if (lane == 31)
        room[warp] = s;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        s += room[w];
    return s - v;
}

template <class E, bool Pairs> struct tile_sorter {
    using O = order<E>;
    using X = typename O::word;
    struct shared {
        union {
            unsigned counter[W][D];
            X key[TILE];
            unsigned value[TILE];
        } u;
        unsigned start[D], room[W], ticket;
        long long base[D];
    };
    X key[K];
    unsigned value[K];
    int place[K];
    unsigned own; /* keys of digit threadIdx.x */

    __device__ static int striped(int k)
    {
        return (int(threadIdx.x >> 5) * K + k) * 32 + int(threadIdx.x & 31);
    }

    __device__ void load(const E *in, const unsigned *values, long long first, int count)
    {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int i = striped(k);
            key[k] = i < count ? O::in(in[first + i]) : ~X(0);
            if (Pairs)
                value[k] = i < count ? values[first + i] : 0;
        }
    }
    /* leaves place[k] in the tile; s.start: the tile's first place of a digit; own: how many */
    __device__ void rank(shared &s, digit dg, int count)
    {
        const int t = threadIdx.x, warp = t >> 5, lane = t & 31;
        unsigned *mine = s.u.counter[warp];
        for (int d = lane; d < D; d += 32)
            mine[d] = 0;
        __syncwarp();
#pragma unroll
        for (int k = 0; k < K; k++) {
            const unsigned d = dg(key[k]), peers = __match_any_sync(FULL, d),
                           lower = peers & ((1u << lane) - 1);
            place[k] = int(mine[d]) + __popc(lower);
            __syncwarp();
            if (lower == 0)
                mine[d] += __popc(peers);
            __syncwarp();
        }
        __syncthreads();
        unsigned sum = 0;
#pragma unroll
        for (int w = 0; w < W; w++) {
            const unsigned c = s.u.counter[w][t];
            s.u.counter[w][t] = sum;
            sum += c;
        }
        s.start[t] = block_exclusive(sum, s.room);
        own = sum;
        if (t == int(dg(~X(0))))
            own -= TILE - count; /* what stands for missing keys */
        __syncthreads();
#pragma unroll
        for (int k = 0; k < K; k++) {
            const unsigned d = dg(key[k]);
            place[k] += int(s.start[d] + mine[d]);
        }
        __syncthreads();
    }
    __device__ void scatter_in_tile(shared &s)
    {
#pragma unroll
        for (int k = 0; k < K; k++)
            s.u.key[place[k]] = key[k];
        __syncthreads();
    }
    /* s.base[d]: where digit d of this tile begins in the whole, less its place in the tile */
    __device__ void store(shared &s, digit dg, E *out, unsigned *values_out, int count)
    {
        const int t = threadIdx.x;
        scatter_in_tile(s);
        long long to[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int i = k * T + t;
            if (i < count) {
                const X x = s.u.key[i];
                to[k] = s.base[dg(x)] + i;
                out[to[k]] = O::out(x);
            }
        }
        if (Pairs) {
            __syncthreads();
#pragma unroll
            for (int k = 0; k < K; k++)
                s.u.value[place[k]] = value[k];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < K; k++)
                if (k * T + t < count)
                    values_out[to[k]] = s.u.value[k * T + t];
        }
    }
};

/* ---- one tile ---- */
__global__ __launch_bounds__(T) void in_tile(const unsigned *in, unsigned *out, int n, digit dg)
{
    using S = tile_sorter<unsigned, false>;
    __shared__ S::shared s;
    S me;
    const int first = blockIdx.x * TILE, count = min(TILE, n - first);
    me.load(in, nullptr, first, count);
    me.rank(s, dg, count);
    me.scatter_in_tile(s);
    for (int i = threadIdx.x; i < count; i += T)
        out[first + i] = s.u.key[i];
}

/* ---- tables: table[tile][digit], so that a block stores a row at once ---- */
template <class E>
__global__ __launch_bounds__(T) void count_tiles(const E *in, unsigned *table, int n, digit dg)
{
    __shared__ unsigned c[D];
    const int first = blockIdx.x * TILE, t = threadIdx.x;
    c[t] = 0;
    __syncthreads();
    for (int i = first + t; i < min(n, first + TILE); i += T)
        atomicAdd(&c[dg(order<E>::in(in[i]))], 1u);
    __syncthreads();
    table[size_t(t) * gridDim.x + blockIdx.x] = c[t];
}
/* a block a digit: its row of the table, in pieces of T */
__global__ __launch_bounds__(T) void scan_table(unsigned *table, unsigned *total, int tiles)
{
    __shared__ unsigned room[2][W], end[2];
    unsigned *row = table + size_t(blockIdx.x) * tiles, before = 0;
    int turn = 0;
    for (int i = threadIdx.x; i - int(threadIdx.x) < tiles; i += T, turn ^= 1) {
        const unsigned v = i < tiles ? row[i] : 0, e = block_exclusive(v, room[turn]);
        if (threadIdx.x == T - 1)
            end[turn] = e + v;
        __syncthreads();
        if (i < tiles)
            row[i] = before + e;
        before += end[turn];
    }
    if (threadIdx.x == 0)
        total[blockIdx.x] = before;
}
template <class E, bool P>
__global__ __launch_bounds__(T) void move_by_table(const E *in, const unsigned *values, E *out,
                                                   unsigned *values_out, const unsigned *table,
                                                   const unsigned *total, int n, digit dg)
{
    using S = tile_sorter<E, P>;
    __shared__ typename S::shared s;
    S me;
    const int first = blockIdx.x * TILE, count = min(TILE, n - first), t = threadIdx.x;
    me.load(in, values, first, count);
    me.rank(s, dg, count);
    const unsigned lower = block_exclusive(total[t], s.room);
    s.base[t] = (long long)lower + table[size_t(t) * gridDim.x + blockIdx.x] - s.start[t];
    __syncthreads();
    me.store(s, dg, out, values_out, count);
}

/* ---- sweeps ---- */
template <class E>
__global__ __launch_bounds__(T) void count_digits(const E *in, unsigned *total, int n,
                                                  int first_bit, int passes, unsigned last)
{
    __shared__ unsigned c[8 * D];
    for (int i = threadIdx.x; i < passes * D; i += T)
        c[i] = 0;
    __syncthreads();
    for (size_t i = size_t(blockIdx.x) * T + threadIdx.x; i < size_t(n);
         i += size_t(gridDim.x) * T) {
        auto w = order<E>::in(in[i]) >> first_bit;
        for (int p = 0; p < passes; p++, w >>= B)
            atomicAdd(&c[p * D + (unsigned(w) & (p == passes - 1 ? last : D - 1))], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < passes * D; i += T)
        if (c[i])
            atomicAdd(total + i, c[i]);
}
__device__ void tell(unsigned *w, unsigned v)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(w)), "r"(v)
                 : "memory");
}
__device__ unsigned hear(const unsigned *w)
{
    unsigned v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(v)
                 : "l"(__cvta_generic_to_global(w))
                 : "memory");
    return v;
}
template <class E, bool P>
__global__ __launch_bounds__(T) void sweep(const E *in, const unsigned *values, E *out,
                                           unsigned *values_out, unsigned *ticket, unsigned *word,
                                           const unsigned *total, int n, digit dg)
{
    using S = tile_sorter<E, P>;
    __shared__ typename S::shared s;
    S me;
    const int t = threadIdx.x;
    if (t == 0)
        s.ticket = atomicAdd(ticket, 1u);
    __syncthreads();
    const int tile = int(s.ticket), first = tile * TILE, count = min(TILE, n - first);
    me.load(in, values, first, count);
    me.rank(s, dg, count);
    /* 1 aggregate, 2 prefix */
    unsigned before = 0;
    if (tile) {
        tell(word + tile * D + t, 1u << 30 | me.own);
        for (int k = tile - 1;;) {
            const unsigned w = hear(word + k * D + t);
            if (w >> 30 == 0) {
                __nanosleep(20);
                continue;
            }
            before += w & 0x3fffffffu;
            if (w >> 31)
                break;
            k--;
        }
    }
    tell(word + tile * D + t, 2u << 30 | (before + me.own));
    const unsigned lower = block_exclusive(total[t], s.room);
    s.base[t] = (long long)lower + before - s.start[t];
    __syncthreads();
    me.store(s, dg, out, values_out, count);
}

/* ---- host ---- */
struct arena {
    unsigned char *p = nullptr;
    size_t size = 0;
    bool reserve(size_t bytes)
    {
        if (bytes <= size)
            return true;
        cudaFree(p);
        size = 0, p = nullptr;
        if (cudaMalloc(&p, bytes) != cudaSuccess)
            return false;
        size = bytes;
        return true;
    }
};
arena memory;

template <class E, bool P>
void sort(const E *in, const unsigned *values, E *out, unsigned *values_out, int n, int first,
          int end, bool sweeping)
{
    if (n <= 0)
        return;
    const int tiles = (n - 1) / TILE + 1, passes = (end - first + B - 1) / B;
    const size_t round = 255, keys = (n * sizeof(E) + round) & ~round,
                 vals = P ? (n * 4ull + round) & ~round : 0,
                 words = sweeping ? 64 + size_t(passes) * D * (1 + tiles) : size_t(D) * (1 + tiles);
    if (!memory.reserve(keys + vals + words * 4))
        return;
    E *other = reinterpret_cast<E *>(memory.p);
    unsigned *other_values = reinterpret_cast<unsigned *>(memory.p + keys),
             *w = reinterpret_cast<unsigned *>(memory.p + keys + vals);
    const unsigned last = (1u << (end - first - (passes - 1) * B)) - 1;
    if (sweeping) {
        cudaMemsetAsync(w, 0, words * 4);
        count_digits<<<(tiles + 3) / 4, T>>>(in, w + 64, n, first, passes, last);
    }
    for (int p = 0; p < passes; p++) {
        const bool to_out = (passes - p) % 2 == 1;
        E *const to = to_out ? out : other;
        unsigned *const to_values = to_out ? values_out : other_values;
        const digit dg = { first + p * B, p == passes - 1 ? last : unsigned(D - 1) };
        if (sweeping)
            sweep<E, P><<<tiles, T>>>(in, values, to, to_values, w + p,
                                      w + 64 + passes * D + size_t(p) * tiles * D, w + 64 + p * D,
                                      n, dg);
        else {
            count_tiles<<<tiles, T>>>(in, w + D, n, dg);
            scan_table<<<D, T>>>(w + D, w, tiles);
            move_by_table<E, P><<<tiles, T>>>(in, values, to, to_values, w + D, w, n, dg);
        }
        in = to, values = to_values;
    }
}
}    // namespace

void radix_digit(const unsigned *in, unsigned *out, int n)
{
    if (n > 0)
        in_tile<<<(n - 1) / TILE + 1, T>>>(in, out, n, digit{ radix_first_bit(n), D - 1 });
}
void radix_device_u32(const unsigned *in, unsigned *out, int n)
{
    sort<unsigned, false>(in, nullptr, out, nullptr, n, radix_first_bit(n), radix_end_bit(n),
                          false);
}
void radix_device_i32(const int *in, const unsigned *v, int *out, unsigned *vo, int n)
{
    sort<int, true>(in, v, out, vo, n, 0, 32, false);
}
void radix_sweep_u32(const unsigned *in, unsigned *out, int n)
{
    sort<unsigned, false>(in, nullptr, out, nullptr, n, radix_first_bit(n), radix_end_bit(n), true);
}
void radix_sweep_f32(const float *in, const unsigned *v, float *out, unsigned *vo, int n)
{
    sort<float, true>(in, v, out, vo, n, 0, 32, true);
}
void radix_sweep_i64(const long long *in, const unsigned *v, long long *out, unsigned *vo, int n)
{
    sort<long long, true>(in, v, out, vo, n, 0, 64, true);
}
