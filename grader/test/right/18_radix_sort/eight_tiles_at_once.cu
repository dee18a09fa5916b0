// expect: PASS | eight words are read at once, also behind one that waits
/*
 * Radix sort: of tiles, bit by bit and by a digit; of a whole array by tables, and in one sweep a
 * digit.
 *
 * Mapping   a block of 256 threads has a tile of 2048 keys; warp w owns keys 256 w to 256 w + 255
 *           of it, in 8 rows of 32; thread x cares for digit x
 * Bytes     of n keys of s bytes: a tile 2 s n; by tables 3 s n a digit, and the tables; by sweeps
 *           s n once and 2 s n a digit, and a word for each tile and digit. Values: 8 n a digit
 * Work      a bit: a ballot and a popc a row; a digit: 8 ballots a row, and a scan of 256 counts
 * Source    Harris and Garland, GPU Computing Gems, Jade Edition, section 3.3; Adinets and Merrill,
 *           arXiv 2206.01784
 *
 * One body serves all types. Given: keys.h, the types, and a tile in registers; passes.h, digits,
 * and what tiles tell each other; launches.h, kernels and entries; steps.h, how the parts are
 * tried.
 */
#include <cuda_runtime.h>

#include "keys.h"
#include "passes.h"
#include "radix_sort.h"

/* ---- bit by bit ------------------------------------------------------------------------------ */

/* ones: bit r is set if the thread's key of row r has a 1. rank[r]: how many keys of the warp have
   a 0 and stand before that one. Returns how many of the warp have a 0, to all its lanes. */
static __device__ __forceinline__ int count_zeros(unsigned ones, int rank[ROWS])
{
    const unsigned below = (1u << threadIdx.x % WARP) - 1;
    int all = 0;

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const unsigned zeros = ~__ballot_sync(ALL_LANES, ones >> row & 1);
        rank[row] = all + __popc(zeros & below);
        all += __popc(zeros);
    }
    return all;
}

/* place[r]: where the thread's key of row r stands in its tile once all keys with a 0 come first,
   in their order, and all others behind them, in theirs. */
static __device__ __forceinline__ void split_places(unsigned ones, int place[ROWS])
{
    __shared__ int s_zeros[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    int rank[ROWS], before_warp = 0, zeros = 0;

    const int zeros_of_warp = count_zeros(ones, rank);
    if (lane == 0)
        s_zeros[warp] = zeros_of_warp;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = zeros;
        zeros += s_zeros[w];
    }
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const int before = before_warp + rank[row];
        place[row] = ones >> row & 1 ? zeros + index_in_tile(row) - before : before;
    }
}

static __device__ __forceinline__ void split_tile(type t, bits key[ROWS], int bit, void *s_key)
{
    int place[ROWS];
    unsigned ones = 0;

#pragma unroll
    for (int row = 0; row < ROWS; row++)
        ones |= (unsigned)(key[row] >> bit & 1) << row;
    split_places(ones, place);
    exchange(t, key, place, s_key);
}

/* Sorts the tile by the bits [first, end). */
static __device__ __forceinline__ void sort_tile(type t, bits key[ROWS], int first, int end,
                                                 void *s_key)
{
    for (int bit = first; bit < end; bit++)
        split_tile(t, key, bit, s_key);
}

/* ---- the order of keys ----------------------------------------------------------------------- */

/* The key as an unsigned number: of two keys, the smaller one has the smaller number. */
static __device__ __forceinline__ bits to_bits(type t, bits key)
{
    const unsigned low = (unsigned)key;

    if (t == I64)
        return key ^ 1ull << 63;
    if (t == I32)
        return low ^ 0x80000000u;
    if (t == F32)
        return low & 0x80000000u ? ~low : low | 0x80000000u;
    return key;
}

/* The key that has these bits. */
static __device__ __forceinline__ bits from_bits(type t, bits b)
{
    const unsigned low = (unsigned)b;

    if (t == I64)
        return b ^ 1ull << 63;
    if (t == I32)
        return low ^ 0x80000000u;
    if (t == F32)
        return low & 0x80000000u ? low & 0x7fffffffu : ~low;
    return b;
}

/* ---- by a digit ------------------------------------------------------------------------------ */

/* A bit for each lane that is there and has the same digit. */
static __device__ __forceinline__ unsigned same_digit(int digit, bool there)
{
    unsigned same = __ballot_sync(ALL_LANES, there);

#pragma unroll
    for (int bit = 0; bit < RADIX_BITS; bit++) {
        const unsigned votes = __ballot_sync(ALL_LANES, digit >> bit & 1);
        same &= digit >> bit & 1 ? votes : ~votes;
    }
    return same;
}

/* rank[r]: how many keys of the warp have the digit of the thread's key of row r and stand before
   it. s_count, of the warp alone, is 0 before; then s_count[x] is how many keys have digit x. Only
   the first `count` keys of the tile are there. */
static __device__ __forceinline__ void rank_digits(const int digit[ROWS], int count, int rank[ROWS],
                                                   int s_count[DIGITS])
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const bool there = index_in_tile(row) < count;
        const unsigned same = same_digit(digit[row], there);
        const int below = __popc(same & ((1u << lane) - 1));

        rank[row] = s_count[digit[row]] + below;
        __syncwarp(); /* all have read */
        if (there && below == 0)
            s_count[digit[row]] = rank[row] + __popc(same);
        __syncwarp(); /* for the next row */
    }
}

/* s_count[w][x]: how many keys of warp w have digit x; it becomes the place in the tile, once that
   is sorted by digits, of the first of them. Returns to thread x the place of the tile's first key
   with digit x; *keys: how many there are. */
static __device__ __forceinline__ int first_places(int s_count[WARPS][DIGITS], int *keys)
{
    const int x = threadIdx.x;
    int all = 0;

#pragma unroll
    for (int w = 0; w < WARPS; w++)
        all += s_count[w][x];
    const int first = scan_digits(all);
    int next = first;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        const int own = s_count[w][x];
        s_count[w][x] = next;
        next += own;
    }
    *keys = all;
    return first;
}

/* Stores a tile that is sorted in shared memory first, so that neighbours go to neighbours.
   place[]: of the thread's keys, in the tile. s_to[x]: index in d_out of a key with digit x, less
   its place. */
static __device__ __forceinline__ void store_sorted(type t, bool pairs, pass p,
                                                    const bits key[ROWS],
                                                    const unsigned value[ROWS],
                                                    const int place[ROWS], int count,
                                                    const int s_to[DIGITS], void *s_item)
{
    const int x = threadIdx.x;
    int to[ROWS];

#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            store_element(t, s_item, place[row], key[row]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const int at = x + k * THREADS;
        if (at < count) {
            const bits b = load_element(t, s_item, at);
            to[k] = s_to[digit_of(p, b)] + at;
            store_element(t, p.d_out, to[k], from_bits(t, b));
        }
    }
    if (!pairs)
        return;
    __syncthreads();
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            ((unsigned *)s_item)[place[row]] = value[row];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const int at = x + k * THREADS;
        if (at < count)
            p.d_values_out[to[k]] = ((unsigned *)s_item)[at];
    }
}

/* ---- what tiles tell each other -------------------------------------------------------------- */

/* table[x * tiles + tile]: how many keys of the tile have digit x. */
static __device__ __forceinline__ void count_tile(type t, pass p)
{
    __shared__ int s_count[DIGITS];
    const int tile = blockIdx.x, count = keys_of(tile, p.n);
    bits key[ROWS];

    load_keys(t, p.d_in, tile, count, key);
    s_count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            atomicAdd(&s_count[digit_of(p, key[row])], 1);
    __syncthreads();
    p.table[(int)threadIdx.x * p.tiles + tile] = s_count[threadIdx.x];
}

/* Thread x: the index in d_out of the tile's first key with digit x, by the scanned table. */
static __device__ __forceinline__ int before_by_table(pass p, int tile)
{
    const int x = threadIdx.x;

    return scan_digits(p.total[x]) + p.table[x * p.tiles + tile];
}

/* d_count[k * DIGITS + x]: how many keys of the array have x as their digit k, of `passes` digits
   that begin at bit `first`. It is 0 before. */
static __device__ __forceinline__ void count_all(type t, const void *d_in, unsigned *d_count, int n,
                                                 int passes, int first, unsigned last_mask)
{
    __shared__ unsigned s_count[MOST_PASSES][DIGITS];
    const int tiles = (n - 1) / TILE + 1;

    for (int k = 0; k < passes; k++)
        s_count[k][threadIdx.x] = 0;
    __syncthreads();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int count = keys_of(tile, n);
        bits key[ROWS];
        load_keys(t, d_in, tile, count, key);
        for (int k = 0; k < passes; k++) {
            const unsigned mask = k == passes - 1 ? last_mask : DIGITS - 1;
#pragma unroll
            for (int row = 0; row < ROWS; row++)
                if (index_in_tile(row) < count)
                    atomicAdd(&s_count[k][(unsigned)(key[row] >> (first + k * RADIX_BITS)) & mask],
                              1u);
        }
    }
    __syncthreads();
    for (int k = 0; k < passes; k++)
        if (s_count[k][threadIdx.x] != 0)
            atomicAdd(&d_count[k * DIGITS + threadIdx.x], s_count[k][threadIdx.x]);
}

/* Thread x: the same index by look-back. `own` keys of the tile have digit x. */
static __device__ __forceinline__ int before_by_look_back(pass p, int tile, int own)
{
    const int x = threadIdx.x;
    const int lower = scan_digits((int)p.count[x]);
    int before = 0;

    if (tile > 0) {
        publish(p, tile, x, AGGREGATE, own);
        /* eight words are asked for together, and used as far as they have been told */
        for (int t = tile - 1; t >= 0;) {
            status seen[8];
            int keys[8];
#pragma unroll
            for (int a = 0; a < 8; a++) {
                seen[a] = INVALID;
                keys[a] = 0;
                if (t - a >= 0)
                    seen[a] = inspect(p, t - a, x, &keys[a]);
            }
            bool go = true, ends = false;
            int used = 0;
#pragma unroll
            for (int a = 0; a < 8; a++) {
                go = go && !ends && seen[a] != INVALID;
                if (go) {
                    before += keys[a];
                    used++;
                    ends = seen[a] == PREFIX;
                }
            }
            t = ends ? -1 : t - used;
        }
    } else {
        before = lower;
    }
    publish(p, tile, x, PREFIX, before + own);
    return before;
}

/* ---- a tile moves by a digit ----------------------------------------------------------------- */

static __device__ __forceinline__ void move_tile(type t, mode m, bool pairs, pass p, void *s_item)
{
    __shared__ int s_count[WARPS][DIGITS], s_to[DIGITS];
    const int warp = threadIdx.x / WARP, x = threadIdx.x;
    const int tile = m == BY_LOOK_BACK ? take_tile(p) : blockIdx.x, count = keys_of(tile, p.n);
    bits key[ROWS];
    unsigned value[ROWS];
    int digit[ROWS], place[ROWS], keys;

#pragma unroll
    for (int w = 0; w < WARPS; w++)
        s_count[w][x] = 0;
    load_keys(t, p.d_in, tile, count, key);
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const int i = index_in_tile(row);
        digit[row] = digit_of(p, key[row]);
        value[row] = pairs && i < count ? p.d_values[tile * TILE + i] : 0;
    }
    __syncthreads();
    rank_digits(digit, count, place, s_count[warp]);
    __syncthreads();
    const int first = first_places(s_count, &keys);
    const int before = m == IN_TILE    ? tile * TILE + first
                       : m == BY_TABLE ? before_by_table(p, tile)
                                       : before_by_look_back(p, tile, keys);
    s_to[x] = before - first;
    __syncthreads();
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        place[row] += s_count[warp][digit[row]];
    store_sorted(t, pairs, p, key, value, place, count, s_to, s_item);
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"

DEFINE_BLOCK(u32, unsigned, U32, radix_first_bit(n), radix_end_bit(n))
DEFINE_BLOCK(f32, float, F32, 0, 32)
DEFINE_BY_TABLE(u32, unsigned, U32, KEYS, radix_first_bit(n), radix_end_bit(n))
DEFINE_BY_TABLE(i32, int, I32, PAIRS, 0, 32)
DEFINE_SWEEP(u32, unsigned, U32, KEYS, radix_first_bit(n), radix_end_bit(n))
DEFINE_SWEEP(f32, float, F32, PAIRS, 0, 32)
DEFINE_SWEEP(i64, long long, I64, PAIRS, 0, 64)

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
