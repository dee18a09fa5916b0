/*
 * tiles.h: sizes; a tile in the registers of its block; what tiles publish. Given.
 *
 * A half-warp of 16 lanes owns `rows` x 16 keys side by side of its tile: lane l has key l of each
 * row. It has a table in shared memory, a word for each digit:
 *
 *     word of a table            [ keys of the half-warp so far, 16 bits | lanes, 16 bits ]
 *     word of a tile and digit   [ status, 2 bits | keys, 30 bits ]
 *
 * Rows and the shape of a tile are constants wherever a function is used, and loops over rows and
 * tables are unrolled.
 */
#ifndef TILES_H
#define TILES_H

#include <cuda_runtime.h>

#include "radix_sort_speed.h"

enum {
    WARP = 32,
    HALF = 16, /* lanes that rank their keys together */
    DIGITS = 256,
    PASSES = 4,
#ifdef SCANLAB_ENGINE /* blocks have 48 KiB of shared memory */
    KEY_THREADS = RADIX_SPEED_THREADS,
    KEY_ROWS = RADIX_SPEED_TILE / KEY_THREADS, /* keys of a thread */
    PAIR_THREADS = KEY_THREADS,
    PAIR_ROWS = KEY_ROWS,
    MANY_THREADS = KEY_THREADS,
    MANY_ROWS = KEY_ROWS,
    MANY_PAIRS = 1 << 14,
    COPIES = 4,
#else
    KEY_THREADS = 384,
    KEY_ROWS = 28,
    PAIR_THREADS = 384,
    PAIR_ROWS = 26, /* fewer: values are in shared memory beside the keys */
    /* of many pairs, one block a multiprocessor has a tile twice as large, and so each digit a run
       twice as long */
    MANY_THREADS = 768,
    MANY_ROWS = 24,
    MANY_PAIRS = 1 << 22,
    COPIES = 32, /* of counters, in the counting kernel */
#endif
    MOST_THREADS = MANY_THREADS,
    MOST_ROWS = KEY_ROWS,
    KEYS_SHIFT = 16, /* in a word of a table */
    COUNT_BITS = 30, /* in a word of a tile */
    LOOKS = 4        /* words that a thread looks at together */
};

/* A block's threads, and the keys of each. */
typedef struct shape {
    int threads, rows;
} shape;

static const unsigned ALL_LANES = 0xffffffffu, LANES_MASK = 0xffffu, ONE_KEY = 1u << KEYS_SHIFT,
                      NO_DIGIT = DIGITS;

/* ---- keys, tables, places -------------------------------------------------------------------- */

/* What __byte_perm needs to take digit k out of a key. */
static __device__ __forceinline__ unsigned selector_of(int k) { return 0x4440u + (unsigned)k; }

static __device__ __forceinline__ unsigned digit_of(unsigned key, unsigned selector)
{
    return __byte_perm(key, 0, selector);
}

/* Where a table has its word of a digit. Digits of one bit, and the same digit of both half-warps,
   lie in different banks. */
static __device__ __forceinline__ unsigned slot_of(unsigned digit, int table)
{
    return digit ^ ((digit >> 5) * 5 & 31) ^ (unsigned)(table % 2 * HALF);
}

/* Places in a tile have 16 bits, two of them in a word. */
static __device__ __forceinline__ void set_place(unsigned place[MOST_ROWS / 2], int row, unsigned p)
{
    place[row / 2] = __byte_perm(place[row / 2], p, row % 2 ? 0x5410 : 0x3254);
}

static __device__ __forceinline__ unsigned get_place(const unsigned place[MOST_ROWS / 2], int row)
{
    return row % 2 ? place[row / 2] >> 16 : place[row / 2] & 0xffff;
}

/* Where place p is in shared memory: places 32 apart, as sorted keys take them, lie in different
   banks. */
static __device__ __forceinline__ int padded(unsigned p) { return (int)(p + p / WARP); }

/* ---- a tile ---------------------------------------------------------------------------------- */

static __host__ __device__ __forceinline__ int tables_of(shape s) { return s.threads / HALF; }
static __host__ __device__ __forceinline__ int tile_keys(shape s) { return s.threads * s.rows; }

static __host__ __device__ __forceinline__ int tiles_of(int n, shape s)
{
    return (n - 1) / tile_keys(s) + 1;
}

/* How many keys the tile has of n. */
static __device__ __forceinline__ int keys_of(int tile, int n, shape s)
{
    const int left = n - tile * tile_keys(s);

    return left < tile_keys(s) ? left : tile_keys(s);
}

/* Index in the array of the thread's first key of a tile; those of the next rows lie HALF apart. */
static __device__ __forceinline__ int first_key(int tile, shape s)
{
    return tile * tile_keys(s) + threadIdx.x / HALF * s.rows * HALF + threadIdx.x % HALF;
}

/* Asks for a tile's part of an array of n words to come to L2; nobody waits for it. */
static __device__ __forceinline__ void ask_for_tile(const unsigned *d_from, int tile, int n,
                                                    shape s)
{
    enum { LINE = 32 };

    for (int i = threadIdx.x * LINE; i < keys_of(tile, n, s); i += s.threads * LINE)
        asm volatile("prefetch.global.L2 [%0];"
                     :
                     : "l"(__cvta_generic_to_global(d_from + tile * tile_keys(s) + i)));
}

/* Where the array has ended, keys that are all 1: they come after all others, if ranks are stable
   also after true keys with the same digit. */
static __device__ __forceinline__ void load_keys(const unsigned *d_in, int tile, int n, shape s,
                                                 unsigned key[MOST_ROWS])
{
    const int first = first_key(tile, s);

    if (keys_of(tile, n, s) == tile_keys(s)) {
#pragma unroll
        for (int row = 0; row < s.rows; row++)
            key[row] = d_in[first + row * HALF];
    } else {
#pragma unroll
        for (int row = 0; row < s.rows; row++)
            key[row] = first + row * HALF < n ? d_in[first + row * HALF] : 0xffffffffu;
    }
}

/* A word on its way from the array to shared memory, past registers, where the GPU can do that. */
static __device__ __forceinline__ void copy_word(unsigned *s_to, const unsigned *d_from)
{
#if defined(SCANLAB_ENGINE) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(s_to)), "l"(d_from)
                 : "memory");
#else
    *s_to = *d_from;
#endif
}

/* The words that this thread has sent are there. */
static __device__ __forceinline__ void words_copied(void)
{
#if defined(SCANLAB_ENGINE) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

/* ---- what tiles publish ---------------------------------------------------------------------- */

/* What a tile has published of a digit: nothing, its own keys, or where its keys go, less the place
   of the first: all keys before them in d_out, and its own. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

static __device__ __forceinline__ void publish(unsigned *d_word, int tile, int digit, status what,
                                               unsigned keys)
{
    *(volatile unsigned *)&d_word[tile * DIGITS + digit] = (unsigned)what << COUNT_BITS | keys;
}

/* The words of tiles tile, tile - 1 and so on for one digit; INVALID where there is none. */
static __device__ __forceinline__ void look(const unsigned *d_word, int tile, int digit,
                                            unsigned word[LOOKS])
{
#pragma unroll
    for (int k = 0; k < LOOKS; k++)
        word[k] = tile >= k ? *(const volatile unsigned *)&d_word[(tile - k) * DIGITS + digit] : 0;
}

static __device__ __forceinline__ status status_of(unsigned word)
{
    return (status)(word >> COUNT_BITS);
}

static __device__ __forceinline__ unsigned keys_of(unsigned word)
{
    return word & ((1u << COUNT_BITS) - 1);
}

/* ---- a number for each digit ----------------------------------------------------------------- */

/* Thread x below DIGITS brings the number of digit x, and gets the sum of those before. The whole
   block calls it; it meets one barrier, and s_sum is used until the next one. */
static __device__ __forceinline__ unsigned scan_digits(unsigned number, unsigned s_sum[])
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned sum = number, before = 0;

#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const unsigned left = __shfl_up_sync(ALL_LANES, sum, distance);
        if (lane >= distance)
            sum += left;
    }
    if (lane == WARP - 1)
        s_sum[warp] = sum;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < DIGITS / WARP; w++)
        if (w < warp)
            before += s_sum[w];
    return before + sum - number;
}

#endif
