/*
 * Radix sort: of tiles by a digit; of a whole array by tables, and in one sweep a digit.
 *
 * Mapping   a block of 256 threads has a tile of 2048 keys; warp w owns keys 256 w to 256 w + 255
 *           of it, in 8 rows of 32; thread x cares for digit x
 * Bytes     of n keys of s bytes: a tile 2 s n; by tables 3 s n a digit, and the tables; by sweeps
 *           s n once and 2 s n a digit, and a word for each tile and digit. Values: 8 n a digit
 * Work      a digit: 8 ballots a row, and a scan of 256 counts
 * Source    Adinets and Merrill, arXiv 2206.01784
 *
 * One body serves all types. Given: keys.h of lab 17, the types, and a tile in registers; passes.h,
 * digits, and what tiles publish; launches.h, kernels and entries; steps.h, how the parts
 * are tried.
 */
#include <cuda_runtime.h>

#include "passes.h"
#include "radix_sort.h"

/* ---- the order of keys, as in lab 17 --------------------------------------------------------- */

/* The key as an unsigned number: of two keys, the smaller one has the smaller number. */
static __device__ __forceinline__ bits to_bits(type t, bits key)
{
    if (t == I32)
        return key ^ 0x80000000u;
    if (t == I64)
        return key ^ 1ull << 63;
    if (t == F32)
        return key ^ (key >> 31 ? 0xffffffffu : 0x80000000u);
    return key;
}

/* The key that has these bits. */
static __device__ __forceinline__ bits from_bits(type t, bits b)
{
    if (t == F32)
        return b ^ (b >> 31 ? 0x80000000u : 0xffffffffu);
    return to_bits(t, b); /* to turn a bit twice is to leave it */
}

/* ---- by a digit ------------------------------------------------------------------------------ */

/* A bit for each lane that is there and has the same digit. */
static __device__ __forceinline__ unsigned same_digit(int digit, bool there)
{
    /* TODO 1: a ballot for each bit of the digit; each lane keeps those that voted as it did. */
    return 0;
}

/* rank[r]: how many keys of the warp have the digit of the thread's key of row r and stand before
   it. s_count, of the warp alone, is 0 before; then s_count[x] is how many keys have digit x. Only
   the first `count` keys of the tile are there: the ranks of others do not matter. */
static __device__ __forceinline__ void rank_digits(const int digit[ROWS], int count, int rank[ROWS],
                                                   int s_count[DIGITS])
{
    /* TODO 2: row by row: what the counter of the digit says, and the lanes of same_digit below.
       Then one of them brings the counter up to date: who may not have read it yet, and who reads
       it next? */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        rank[row] = 0;
}

/* s_count[w][x]: how many keys of warp w have digit x; it becomes the place in the tile, once that
   is sorted by digits, of the first of them. Returns to thread x the place of the tile's first key
   with digit x; *keys: how many there are. */
static __device__ __forceinline__ int first_places(int s_count[WARPS][DIGITS], int *keys)
{
    /* TODO 3: add up the digit's counts of all warps; scan_digits tells what lower digits have.
       Then turn the counts into places. */
    *keys = 0;
    return 0;
}

/* Stores a tile that is sorted in shared memory first, so that neighbours go to neighbours.
   place[]: of the thread's keys, in the tile. A key with digit x that stands at place i there goes
   to index s_to[x] + i of d_out. */
static __device__ __forceinline__ void store_sorted(type t, bool pairs, pass p,
                                                    const bits key[ROWS],
                                                    const unsigned value[ROWS],
                                                    const int place[ROWS], int count,
                                                    const int s_to[DIGITS], void *s_item)
{
    /* TODO 3, too: keys to their places in s_item; then thread t takes places t, t + THREADS and so
       on. Which key lies there, and where does it go? store_element, and from_bits. */
    /* TODO 5: if pairs: values go the same way. Who still reads s_item? */
}

/* ---- what tiles publish ---------------------------------------------------------------------- */

/* table[x * tiles + tile]: how many keys of the tile have digit x. */
static __device__ __forceinline__ void count_tile(type t, pass p)
{
    __shared__ int s_count[DIGITS];
    const int tile = blockIdx.x, count = keys_of(tile, p.n);
    bits key[ROWS];

    load_keys(t, p.d_in, tile, count, key);
    /* TODO 4: count the digits (digit_of) of the keys that are there, in s_count, which holds
       anything at first: a count has no order. Then thread x writes its digit's count to the
       table. */
}

/* Thread x: the index in d_out of the tile's first key with digit x, by the scanned table. */
static __device__ __forceinline__ int before_by_table(pass p, int tile)
{
    const int x = threadIdx.x;

    return x; /* TODO 4, too: all with lower digits, and those with digit x of tiles before */
}

/* d_count[k * DIGITS + x]: how many keys of the array have x as their digit k, of `passes` digits
   that begin at bit `first`. It is 0 before. */
static __device__ __forceinline__ void count_all(type t, const void *d_in, unsigned *d_count, int n,
                                                 int passes, int first, unsigned last_mask)
{
    __shared__ unsigned s_count[MOST_PASSES][DIGITS];
    const int tiles = (n - 1) / TILE + 1;

    /* TODO 6: count all digits of the block's tiles (blockIdx.x, then gridDim.x further, and so
       on) in s_count, and add what it has to d_count. The last digit has last_mask. */
}

/* Thread x: the same index by look-back. `own` keys of the tile have digit x. */
static __device__ __forceinline__ int before_by_look_back(pass p, int tile, int own)
{
    const int x = threadIdx.x;
    int before = x;

    /* TODO 7: lab 10's look-back, each thread for its digit: publish what the tile has, inspect
       tile after tile, publish what that comes to. In front of tile 0 stand the keys with lower
       digits: p.count. */
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

DEFINE_BY_TABLE(u32, unsigned, U32, KEYS, radix_first_bit(n), radix_end_bit(n))
DEFINE_BY_TABLE(i32, int, I32, PAIRS, 0, 32)
DEFINE_SWEEP(u32, unsigned, U32, KEYS, radix_first_bit(n), radix_end_bit(n))
DEFINE_SWEEP(f32, float, F32, PAIRS, 0, 32)
DEFINE_SWEEP(i64, long long, I64, PAIRS, 0, 64)

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
