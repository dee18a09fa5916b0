// expect: PASS | a program of its own: a window of 128 tiles, a thread a tile, acquire and release
/* Templates over monoids; a tile in registers by way of a padded buffer of each warp; a look-back
   with a barrier a window. */
#include <cuda_runtime.h>
#include <cstdint>
#include "decoupled_lookback.h"

namespace
{
constexpr int THREADS = LOOKBACK_THREADS, WARPS = THREADS / 32, TILE = LOOKBACK_TILE,
              PER_WARP = TILE / WARPS;
constexpr int CHUNK = 8 * 32, CHUNKS = PER_WARP / CHUNK; /* a lane scans 8 neighbours at a time */
constexpr unsigned FULL = 0xffffffffu;

template <class V> struct plus_op {
    using value = V;
    static __device__ V id() { return V(0); }
    static __device__ V join(V left, V right) { return left + right; }
};
struct wrap_op : plus_op<int> {
    static __device__ int join(int l, int r) { return int(unsigned(l) + unsigned(r)); }
};
struct map_op {
    using value = affine;
    static __device__ affine id() { return { 1u, 0u }; }
    static __device__ affine join(affine f, affine g) { return { g.a * f.a, g.a * f.b + g.b }; }
};

/* pairs at once: the arrays are aligned to 16 */
template <class V> __device__ V whole(const V *p) { return *p; }
template <class V> __device__ void whole(V *p, V v) { *p = v; }
template <> __device__ affine whole(const affine *p)
{
    const uint2 w = *reinterpret_cast<const uint2 *>(p);
    return { w.x, w.y };
}
template <> __device__ void whole(affine *p, affine v)
{
    *reinterpret_cast<uint2 *>(p) = make_uint2(v.a, v.b);
}

template <class V> __device__ V shuffle_up(V v, int d)
{
    union both {
        V v;
        int word[sizeof(V) / 4];
        __device__ both() {}
    } x;
    x.v = v;
#pragma unroll
    for (unsigned k = 0; k < sizeof(V) / 4; k++)
        x.word[k] = __shfl_up_sync(FULL, x.word[k], d);
    return x.v;
}
template <class V> __device__ V shuffle_down(V v, int d)
{
    union both {
        V v;
        int word[sizeof(V) / 4];
        __device__ both() {}
    } x;
    x.v = v;
#pragma unroll
    for (unsigned k = 0; k < sizeof(V) / 4; k++)
        x.word[k] = __shfl_down_sync(FULL, x.word[k], d);
    return x.v;
}

/* state: epoch << 2 | 0 nothing, 1 aggregate, 2 prefix */
template <class V> struct alignas(8) tile_state {
    V aggregate, prefix;
    uint32_t state, unused;
};

template <class V> __device__ void publish(tile_state<V> *s, uint32_t what, V v)
{
    if ((what & 3) == 1)
        s->aggregate = v;
    else
        s->prefix = v;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(&s->state)),
                 "r"(what)
                 : "memory");
}
template <class V> __device__ uint32_t look(const tile_state<V> *s, uint32_t epoch, V &v)
{
    uint32_t w;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(w)
                 : "l"(__cvta_generic_to_global(&s->state))
                 : "memory");
    if (w >> 2 != epoch || (w & 3) == 0)
        return 0;
    v = (w & 3) == 1 ? s->aggregate : s->prefix;
    return w & 3;
}

template <class V> struct store_area {
    unsigned *ticket;
    tile_state<V> *tile;
    uint32_t epoch;
};

template <class Op>
__global__ __launch_bounds__(THREADS) void scan(const typename Op::value *__restrict__ in,
                                                typename Op::value *__restrict__ out, int *depth,
                                                store_area<typename Op::value> area, long long n)
{
    using V = typename Op::value;
    __shared__ alignas(16) unsigned char room[WARPS][(CHUNK + CHUNK / 8) * sizeof(V)];
    __shared__ V warp_total[WARPS], window_sum[2][WARPS];
    __shared__ int window_last[2][WARPS];
    __shared__ unsigned s_ticket;
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;

    if (t == 0)
        s_ticket = atomicInc(area.ticket, gridDim.x - 1);
    __syncthreads();
    const long long tile = s_ticket, base = tile * TILE + warp * PER_WARP;
    V *mine = reinterpret_cast<V *>(room[warp]);
    V x[CHUNKS][8], total = Op::id();

#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const int e = k * 32 + lane;
            const long long i = base + c * CHUNK + e;
            mine[e + e / 8] = i < n ? whole(in + i) : Op::id();
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[c][k] = mine[lane * 9 + k];
        __syncwarp();
#pragma unroll
        for (int k = 1; k < 8; k++)
            x[c][k] = Op::join(x[c][k - 1], x[c][k]);
        V all = x[c][7];
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const V y = shuffle_up(all, d);
            if (lane >= d)
                all = Op::join(y, all);
        }
        V before = shuffle_up(all, 1);
        before = lane ? Op::join(total, before) : total;
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[c][k] = Op::join(before, x[c][k]);
        V last = x[c][7];
        union both {
            V v;
            int word[sizeof(V) / 4];
            __device__ both() {}
        } u;
        u.v = last;
#pragma unroll
        for (unsigned k = 0; k < sizeof(V) / 4; k++)
            u.word[k] = __shfl_sync(FULL, u.word[k], 31);
        total = u.v;
    }
    if (lane == 0)
        warp_total[warp] = total;
    __syncthreads();
    V before_warp = Op::id(), aggregate = warp_total[0];
#pragma unroll
    for (int w = 1; w < WARPS; w++) {
        if (w == warp)
            before_warp = aggregate;
        aggregate = Op::join(aggregate, warp_total[w]);
    }
    V before = Op::id();
    if (tile == 0) {
        if (t == 0) {
            publish(area.tile, area.epoch << 2 | 2, aggregate);
            depth[0] = 0;
        }
    } else {
        if (t == 0)
            publish(area.tile + tile, area.epoch << 2 | 1, aggregate);
        int window = 0, found = -1;
        for (long long nearest = tile - 1; found < 0; nearest -= THREADS, window++) {
            const int half = window & 1;
            const long long k = nearest - t;
            V v = Op::id();
            uint32_t state = 2; /* before tile 0 lies the prefix of nothing */
            unsigned prefixes;
            int last;
            do { /* what lies beyond the warp's nearest prefix need not be known */
                if (k >= 0)
                    state = look(area.tile + k, area.epoch, v);
                prefixes = __ballot_sync(FULL, state == 2);
                last = prefixes ? __ffs(int(prefixes)) - 1 : 31;
            } while (__any_sync(FULL, lane <= last && state == 0));
#pragma unroll
            for (int d = 1; d < 32; d *= 2) {
                const V y = shuffle_down(v, d);
                if (lane + d <= last)
                    v = Op::join(y, v);
            }
            if (lane == 0) {
                window_sum[half][warp] = v;
                window_last[half][warp] = prefixes ? last : -1;
            }
            __syncthreads();
#pragma unroll
            for (int w = 0; w < WARPS; w++)
                if (found < 0) {
                    before = Op::join(window_sum[half][w], before);
                    if (window_last[half][w] >= 0)
                        found = window * THREADS + w * 32 + window_last[half][w] + 1;
                }
        }
        if (t == 0) {
            publish(area.tile + tile, area.epoch << 2 | 2, Op::join(before, aggregate));
            depth[tile] = found > tile ? int(tile) : found;
        }
    }
    before = Op::join(before, before_warp);
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            mine[lane * 9 + k] = Op::join(before, x[c][k]);
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const int e = k * 32 + lane;
            const long long i = base + c * CHUNK + e;
            if (i < n)
                whole(out + i, mine[e + e / 8]);
        }
        __syncwarp();
    }
}

template <class Op>
void run(const typename Op::value *in, typename Op::value *out, int *depth, long long n)
{
    using V = typename Op::value;
    static unsigned char *memory;
    static size_t room;
    static uint32_t epoch;
    if (n <= 0)
        return;
    const size_t tiles = size_t((n + TILE - 1) / TILE);
    if (tiles > room) {
        cudaFree(memory);
        room = 0;
        if (cudaMalloc(&memory, 16 + tiles * sizeof(tile_state<V>)) != cudaSuccess) {
            memory = nullptr;
            return;
        }
        cudaMemsetAsync(memory, 0, 16 + tiles * sizeof(tile_state<V>));
        room = tiles;
        epoch = 0;
    } else if (epoch == 0x3fffffffu) {
        cudaMemsetAsync(memory, 0, 16 + room * sizeof(tile_state<V>));
        epoch = 0;
    }
    store_area<V> area = { reinterpret_cast<unsigned *>(memory),
                           reinterpret_cast<tile_state<V> *>(memory + 16), ++epoch };
    scan<Op><<<unsigned(tiles), THREADS>>>(in, out, depth, area, n);
}

__global__ void offsets(const long long *tile, long long *first, long long n)
{
    for (long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < n;
         k += (long long)gridDim.x * blockDim.x)
        first[k] = tile[k] * TILE;
}
}    // namespace

void lookback_i32(const int *in, int *out, int *depth, long long n)
{
    run<wrap_op>(in, out, depth, n);
}
void lookback_f32(const float *in, float *out, int *depth, long long n)
{
    run<plus_op<float>>(in, out, depth, n);
}
void lookback_i64(const long long *in, long long *out, int *depth, long long n)
{
    run<plus_op<long long>>(in, out, depth, n);
}
void lookback_affine(const affine *in, affine *out, int *depth, long long n)
{
    run<map_op>(in, out, depth, n);
}
void lookback_tile_offsets(const long long *d_tile, long long *d_first, long long n)
{
    if (n > 0)
        offsets<<<unsigned((n + 127) / 128), 128>>>(d_tile, d_first, n);
}
