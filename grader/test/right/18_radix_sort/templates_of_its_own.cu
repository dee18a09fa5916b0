// expect: PASS | a program of its own: templates, lanes of a digit by match, no steps
#include <cuda_runtime.h>

#include "radix_sort.h"

constexpr int threads = RADIX_THREADS, tile_keys = RADIX_TILE, digits = RADIX_DIGITS, each = 8;

template <class K> struct order;
template <> struct order<unsigned> {
    using bits = unsigned;
    static __device__ bits of(unsigned k) { return k; }
    static __device__ unsigned back(bits b) { return b; }
};
template <> struct order<int> {
    using bits = unsigned;
    static __device__ bits of(int k) { return (unsigned)k + 0x80000000u; }
    static __device__ int back(bits b) { return (int)(b - 0x80000000u); }
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
template <> struct order<long long> {
    using bits = unsigned long long;
    static __device__ bits of(long long k) { return (bits)k + (1ull << 63); }
    static __device__ long long back(bits b) { return (long long)(b - (1ull << 63)); }
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

static int tiles_of(int n) { return (n + tile_keys - 1) / tile_keys; }

/* ---- by digits ------------------------------------------------------------------------------- */

enum how { alone, table, sweep };

struct where {
    int n, shift;
    unsigned mask;
    int *place;                       /* table: digits x tiles, scanned */
    unsigned *ticket, *begin, *words; /* sweep */
};

template <how H, class K>
__global__ void move(const K *in, const unsigned *values, K *out, unsigned *values_out, where w)
{
    using bits = typename order<K>::bits;
    __shared__ bits s_key[tile_keys];
    __shared__ int s_count[threads / 32][digits], s_to[digits], s_warp[threads / 32];
    __shared__ unsigned s_ticket;
    const int x = threadIdx.x, lane = x % 32, warp = x / 32;
    bits key[each];
    int place[each], all;

    for (int k = 0; k < threads / 32; k++)
        s_count[k][x] = 0;
    if (H == sweep && x == 0)
        s_ticket = atomicAdd(w.ticket, 1);
    __syncthreads();
    const int tile = H == sweep ? (int)s_ticket : (int)blockIdx.x, from = tile * tile_keys,
              tiles = (w.n - 1) / tile_keys + 1, base = warp * 32 * each + lane,
              count = min(tile_keys, w.n - from);

    for (int k = 0; k < each; k++) {
        const int i = base + 32 * k;
        key[k] = i < count ? order<K>::of(in[from + i]) : 0;
        const int digit = (int)((unsigned)(key[k] >> w.shift) & w.mask);
        const unsigned same = __match_any_sync(~0u, i < count ? digit : -1);
        const int leader = 31 - __clz(same);
        int before = 0;
        if (lane == leader && i < count) { /* alone in its digit: nobody else touches the counter */
            before = s_count[warp][digit];
            s_count[warp][digit] = before + __popc(same);
        }
        __syncwarp();
        place[k] = __shfl_sync(~0u, before, leader) + __popc(same & ((1u << lane) - 1));
    }
    __syncthreads();
    int own = 0;
    for (int k = 0; k < threads / 32; k++) {
        const int c = s_count[k][x];
        s_count[k][x] = own;
        own += c;
    }
    const int first = block_scan(own, s_warp, &all);
    int to = from + first;
    if (H == table)
        to = w.place[x * tiles + tile];
    if (H == sweep) {
        volatile unsigned *word = w.words + x;
        unsigned before = w.begin[x];
        if (tile > 0) {
            word[tile * digits] = 1u << 30 | (unsigned)own;
            before = 0;
            for (int t = tile - 1;;) {
                const unsigned seen = word[t * digits];
                before += seen & ((1u << 30) - 1);
                t -= seen >> 30 != 0;
                if (seen >> 30 == 2)
                    break;
            }
        }
        word[tile * digits] = 2u << 30 | (before + (unsigned)own);
        to = (int)before;
    }
    s_to[x] = to - first;
    for (int k = 0; k < threads / 32; k++)
        s_count[k][x] += first;
    __syncthreads();
    for (int k = 0; k < each; k++)
        if (base + 32 * k < count) {
            place[k] += s_count[warp][(unsigned)(key[k] >> w.shift) & w.mask];
            s_key[place[k]] = key[k];
        }
    __syncthreads();
    int goes[each];
    for (int k = 0; k < each; k++) {
        const int i = x + threads * k;
        if (i < count) {
            goes[k] = i + s_to[(unsigned)(s_key[i] >> w.shift) & w.mask];
            out[goes[k]] = order<K>::back(s_key[i]);
        }
    }
    if (!values)
        return;
    __syncthreads();
    for (int k = 0; k < each; k++)
        if (base + 32 * k < count)
            s_key[place[k]] = values[from + base + 32 * k];
    __syncthreads();
    for (int k = 0; k < each; k++)
        if (x + threads * k < count)
            values_out[goes[k]] = (unsigned)s_key[x + threads * k];
}

template <class K> __global__ void count_digits(const K *in, where w, int tiles)
{
    __shared__ int s_count[digits];

    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x, at; (at = blockIdx.x * tile_keys + i) < w.n && i < tile_keys;
         i += threads)
        atomicAdd(&s_count[(unsigned)(order<K>::of(in[at]) >> w.shift) & w.mask], 1);
    __syncthreads();
    w.place[threadIdx.x * tiles + blockIdx.x] = s_count[threadIdx.x];
}

/* One block: a thread adds up a digit's row, then gives each tile its place. */
static __global__ void scan_table(where w, int tiles)
{
    __shared__ int s_warp[threads / 32];
    int *row = w.place + threadIdx.x * tiles, sum = 0, all;

    for (int t = 0; t < tiles; t++) {
        const int c = row[t];
        row[t] = sum;
        sum += c;
    }
    const int first = block_scan(sum, s_warp, &all);
    for (int t = 0; t < tiles; t++)
        row[t] += first;
}

/* All digits at once, each block 16 tiles. The last block to end turns counts into beginnings. */
template <class K>
__global__ void count_all(const K *in, unsigned *begin, unsigned *ended, int n, int passes,
                          int shift, unsigned last_mask)
{
    __shared__ unsigned s_count[8][digits];
    __shared__ int s_warp[threads / 32];
    __shared__ bool s_last;
    const int x = threadIdx.x, from = blockIdx.x * 16 * tile_keys,
              to = n - from < 16 * tile_keys ? n : from + 16 * tile_keys;

    for (int p = 0; p < passes; p++)
        s_count[p][x] = 0;
    __syncthreads();
    for (int i = from + x; i < to; i += threads) {
        const auto b = order<K>::of(in[i]);
        for (int p = 0; p < passes; p++)
            atomicAdd(
                &s_count[p][(unsigned)(b >> (shift + 8 * p)) & (p + 1 < passes ? 255u : last_mask)],
                1u);
    }
    __syncthreads();
    for (int p = 0; p < passes; p++)
        atomicAdd(&begin[p * digits + x], s_count[p][x]);
    __threadfence();
    __syncthreads();
    if (x == 0)
        s_last = atomicAdd(ended, 1u) + 1 == gridDim.x;
    __syncthreads();
    if (!s_last)
        return;
    __threadfence();
    for (int p = 0; p < passes; p++) {
        int all;
        const int c = (int)*(volatile unsigned *)&begin[p * digits + x];
        const int before = block_scan(c, s_warp, &all);
        begin[p * digits + x] = (unsigned)before;
        __syncthreads();
    }
}

static char *d_scratch;
static size_t scratch_bytes;

static bool reserve(size_t bytes)
{
    if (bytes <= scratch_bytes)
        return true;
    cudaFree(d_scratch);
    scratch_bytes = 0;
    if (cudaMalloc((void **)&d_scratch, bytes) != cudaSuccess)
        return false;
    scratch_bytes = bytes;
    return true;
}

template <how H, class K>
static void sort(const K *in, const unsigned *values, K *out, unsigned *values_out, int n,
                 int first, int end)
{
    if (n <= 0)
        return;
    const int tiles = tiles_of(n), passes = (end - first + 7) / 8;
    const size_t words = (size_t)tiles * digits,
                 aside = H == table ? words : 64 + passes * (digits + words),
                 aside_bytes = (aside * 4 + 255) / 256 * 256;
    if (!reserve(aside_bytes + (size_t)tiles * tile_keys * (sizeof(K) + 4)))
        return;
    unsigned *d_aside = (unsigned *)d_scratch;
    K *d_keys = (K *)(d_scratch + aside_bytes);
    unsigned *d_other = (unsigned *)(d_keys + (size_t)tiles * tile_keys);
    const unsigned last_mask = (1u << (end - first - 8 * (passes - 1))) - 1;
    if (H == sweep) {
        cudaMemsetAsync(d_aside, 0, aside * 4);
        count_all<<<(tiles + 15) / 16, threads>>>(in, d_aside + 64, d_aside + 63, n, passes, first,
                                                  last_mask);
    }
    for (int p = 0; p < passes; p++) {
        const bool odd = (passes - p) % 2;
        where w = { n,
                    first + 8 * p,
                    p + 1 < passes ? 255u : last_mask,
                    (int *)d_aside,
                    d_aside + p,
                    d_aside + 64 + p * digits,
                    d_aside + 64 + passes * digits + p * words };
        if (H == table) {
            count_digits<<<tiles, threads>>>(in, w, tiles);
            scan_table<<<1, threads>>>(w, tiles);
        }
        move<H><<<tiles, threads>>>(in, values, odd ? out : d_keys, odd ? values_out : d_other, w);
        in = odd ? out : d_keys;
        values = !values ? nullptr : odd ? values_out : d_other;
    }
}

extern "C" void radix_digit(const unsigned *in, unsigned *out, int n)
{
    const where w = { n, radix_first_bit(n), 255u };

    if (n > 0)
        move<alone><<<tiles_of(n), threads>>>(in, nullptr, out, nullptr, w);
}
extern "C" void radix_device_u32(const unsigned *in, unsigned *out, int n)
{
    sort<table>(in, nullptr, out, nullptr, n, radix_first_bit(n), radix_end_bit(n));
}
extern "C" void radix_device_i32(const int *in, const unsigned *values, int *out,
                                 unsigned *values_out, int n)
{
    sort<table>(in, values, out, values_out, n, 0, 32);
}
extern "C" void radix_sweep_u32(const unsigned *in, unsigned *out, int n)
{
    sort<sweep>(in, nullptr, out, nullptr, n, radix_first_bit(n), radix_end_bit(n));
}
extern "C" void radix_sweep_f32(const float *in, const unsigned *values, float *out,
                                unsigned *values_out, int n)
{
    sort<sweep>(in, values, out, values_out, n, 0, 32);
}
extern "C" void radix_sweep_i64(const long long *in, const unsigned *values, long long *out,
                                unsigned *values_out, int n)
{
    sort<sweep>(in, values, out, values_out, n, 0, 64);
}
