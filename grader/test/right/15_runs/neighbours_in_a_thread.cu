// expect: PASS | threads take 16 neighbours: keys, then values, come in through shared memory
/* Pairs (heads, open sum) scanned by threads, warps and the block; look-back by one thread, over
   words with a release and an acquire, each of which has two values beside it. */
#include <cuda_runtime.h>
#include <cstdint>
#include "runs.h"
namespace
{
constexpr int T = COMPACTION_THREADS, TILE = COMPACTION_TILE, K = TILE / T, W = T / 32;
constexpr unsigned FULL = ~0u;
using u64 = unsigned long long;

template <class V> __device__ V add(V a, V b) { return a + b; }
template <> __device__ int add(int a, int b) { return int(unsigned(a) + unsigned(b)); }
template <> __device__ long long add(long long a, long long b)
{
    return (long long)(u64(a) + u64(b));
}

template <class V> struct pair {
    long long heads;
    V open;
};
template <class V> __device__ pair<V> join(pair<V> l, pair<V> r)
{
    return { l.heads + r.heads, r.heads ? r.open : add(l.open, r.open) };
}

struct board {
    unsigned *ticket;
    u64 *word;
    u64 *value;
    u64 epoch;
}; /* value: two a tile */

template <class V> __device__ u64 pack(V v)
{
    union {
        u64 w;
        V v;
    } u;
    u.w = 0;
    u.v = v;
    return u.w;
}
template <class V> __device__ V unpack(u64 w)
{
    union {
        u64 w;
        V v;
    } u;
    u.w = w;
    return u.v;
}
/* word: [ epoch 19 | prefix? 1 | there 1 | heads 43 ] */
template <class V> __device__ void publish(board b, long long tile, bool prefix, pair<V> p)
{
    b.value[2 * tile + prefix] = pack(p.open);
    const u64 w = b.epoch << 45 | u64(prefix) << 44 | u64(p.heads);
    asm volatile(
        "st.release.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(b.word + tile)), "l"(w)
        : "memory");
}
template <class V> __device__ bool see(board b, long long tile, bool *prefix, pair<V> *p)
{
    u64 w;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                 : "=l"(w)
                 : "l"(__cvta_generic_to_global(b.word + tile))
                 : "memory");
    if (w >> 45 != b.epoch)
        return false;
    *prefix = w >> 44 & 1;
    *p = { (long long)(w & ((u64(1) << 44) - 1)), unpack<V>(b.value[2 * tile + *prefix]) };
    return true;
}

template <class V> __device__ pair<V> shift_up(pair<V> p, int d)
{
    return { __shfl_up_sync(FULL, p.heads, d), __shfl_up_sync(FULL, p.open, d) };
}

/* Vals: sums of values; otherwise lengths */
template <bool Vals, class Key, class V>
__global__ __launch_bounds__(T) void runs(const Key *__restrict__ keys,
                                          const V *__restrict__ values, Key *unique, V *totals,
                                          long long *d_count, board b, long long n)
{
    constexpr size_t wide = sizeof(Key) > sizeof(V) ? sizeof(Key) : sizeof(V);
    __shared__ __align__(8) unsigned char raw[(TILE + TILE / 32) * wide];
    __shared__ unsigned s_ticket;
    __shared__ pair<V> s_warp[W], s_before;
    Key *s_key = reinterpret_cast<Key *>(raw);
    V *s_val = reinterpret_cast<V *>(raw);
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    auto pad = [](int i) { return i + (i >> 5); };

    if (t == 0)
        s_ticket = atomicInc(b.ticket, gridDim.x - 1);
    __syncthreads();
    const long long tile = s_ticket, base = tile * TILE;
    const int count = n - base < TILE ? int(n - base) : TILE;
    for (int i = t; i < count; i += T)
        s_key[pad(i)] = keys[base + i];
    __syncthreads();
    Key key[K];
    V val[K];
    const int valid = min(max(count - t * K, 0), K);
#pragma unroll
    for (int k = 0; k < K; k++)
        if (k < valid)
            key[k] = s_key[pad(t * K + k)];
    Key before_key = Key();
    const bool first_of_all = base + t * K == 0;
    if (valid && !first_of_all)
        before_key = t ? s_key[pad(t * K - 1)] : keys[base - 1];
    __syncthreads();
    if (Vals) {
        for (int i = t; i < count; i += T)
            s_val[pad(i)] = values[base + i];
        __syncthreads();
    }
    unsigned heads = 0;
    pair<V> own = { 0, V(0) };
#pragma unroll
    for (int k = 0; k < K; k++)
        if (k < valid) {
            val[k] = Vals ? s_val[pad(t * K + k)] : V(1);
            const bool head =
                k == 0 ? first_of_all || !(key[0] == before_key) : !(key[k] == key[k - 1]);
            heads |= unsigned(head) << k;
            own = head ? pair<V>{ own.heads + 1, val[k] }
                       : pair<V>{ own.heads, add(own.open, val[k]) };
        }
    pair<V> all = own;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const pair<V> l = shift_up(all, d);
        if (lane >= d)
            all = join(l, all);
    }
    pair<V> left = shift_up(all, 1);
    if (lane == 0)
        left = { 0, V(0) };
    if (lane == 31)
        s_warp[warp] = all;
    __syncthreads();
    pair<V> block = { 0, V(0) };
#pragma unroll
    for (int w = 0; w < W; w++) {
        if (w == warp)
            left = join(block, left);
        block = join(block, s_warp[w]);
    }
    if (t == T - 1) { /* the last thread looks back, one tile after the other */
        pair<V> before = { 0, V(0) };
        if (tile > 0) {
            publish(b, tile, false, block);
            bool end = false;
            for (long long k = tile - 1; !end;) {
                pair<V> p;
                if (!see(b, k, &end, &p))
                    continue;
                before = join(p, before);
                k--;
            }
        }
        const pair<V> upto = join(before, block);
        publish(b, tile, true, upto);
        s_before = before;
        if (base + count == n) {
            *d_count = upto.heads;
            totals[upto.heads - 1] = upto.open;
        }
    }
    __syncthreads();
    const pair<V> before = s_before;
    const int runs_here = int(block.heads), rank = int(left.heads);
    /* keys of heads, side by side */
    int r = rank;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (heads >> k & 1)
            s_key[pad(r++)] = key[k];
    __syncthreads();
    for (int i = t; i < runs_here; i += T)
        unique[before.heads + i] = s_key[pad(i)];
    __syncthreads();
    /* a head closes the run before it */
    pair<V> run = join(before, left);
    r = rank;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (k < valid) {
            if (heads >> k & 1) {
                s_val[pad(r++)] = run.open;
                run.open = val[k];
            } else
                run.open = add(run.open, val[k]);
        }
    __syncthreads();
    for (int i = t; i < runs_here; i += T)
        if (before.heads + i > 0)
            totals[before.heads + i - 1] = s_val[pad(i)];
}

bool open(long long tiles, board *b)
{
    static u64 *memory;
    static long long room;
    static u64 epoch;
    if (tiles > room) {
        cudaFree(memory);
        room = 0;
        if (cudaMalloc(&memory, (1 + 3 * tiles) * sizeof *memory) != cudaSuccess) {
            memory = nullptr;
            return false;
        }
        room = tiles;
        epoch = 0x7ffff;
    }
    if (epoch == 0x7ffff) {
        cudaMemsetAsync(memory, 0, (1 + room) * sizeof *memory);
        epoch = 0;
    }
    *b = { reinterpret_cast<unsigned *>(memory), memory + 1, memory + 1 + room, ++epoch };
    return true;
}
template <bool Vals, class Key, class V>
void run(const Key *keys, const V *values, Key *unique, V *totals, long long *count, long long n)
{
    board b;
    const long long tiles = (n + TILE - 1) / TILE;
    if (n <= 0)
        cudaMemsetAsync(count, 0, sizeof *count);
    else if (open(tiles, &b))
        runs<Vals><<<unsigned(tiles), T>>>(keys, values, unique, totals, count, b, n);
}
__global__ void joined(const long long *heads, const int *sum, long long *h, int *s, long long n)
{
    const long long k = (long long)blockIdx.x * T + threadIdx.x;
    if (k >= n)
        return;
    pair<int> p = { 0, 0 };
    if (k + 1 < n)
        p = join(pair<int>{ heads[k], sum[k] }, pair<int>{ heads[k + 1], sum[k + 1] });
    h[k] = p.heads, s[k] = p.open;
}
}    // namespace
void runs_lengths_i32(const int *k, int *u, int *l, long long *c, long long n)
{
    run<false>(k, (const int *)nullptr, u, l, c, n);
}
void runs_lengths_f32(const float *k, float *u, int *l, long long *c, long long n)
{
    run<false>(k, (const int *)nullptr, u, l, c, n);
}
void runs_lengths_i64(const long long *k, long long *u, int *l, long long *c, long long n)
{
    run<false>(k, (const int *)nullptr, u, l, c, n);
}
void runs_sums_f32(const int *k, const float *v, int *u, float *s, long long *c, long long n)
{
    run<true>(k, v, u, s, c, n);
}
void runs_sums_i32(const float *k, const int *v, float *u, int *s, long long *c, long long n)
{
    run<true>(k, v, u, s, c, n);
}
void runs_sums_i64(const long long *k, const long long *v, long long *u, long long *s, long long *c,
                   long long n)
{
    run<true>(k, v, u, s, c, n);
}
void runs_join(const long long *d_heads, const int *d_sum, long long *h, int *s, long long n)
{
    if (n > 0)
        joined<<<unsigned((n - 1) / T + 1), T>>>(d_heads, d_sum, h, s, n);
}
