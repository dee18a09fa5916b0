/*
 * passes.h: what a pass over the keys works on, which moves them by one digit; and the memory that
 * lab 18 keeps from call to call.
 *
 * A sort has as many passes as digits. They go from d_in to the caller's d_out and to a second
 * array in turn, so that the last one ends in d_out.
 *
 *     word of a tile and digit   [ status, 2 bits | keys, 30 bits ]
 *
 * Words, tickets and counts of all digits are cleared together before a sweep. Keys, and a tile of
 * them, are those of lab 17: keys.h there.
 */
#ifndef PASSES_H
#define PASSES_H

#include <cuda_runtime.h>

#include "../17_block_sort/keys.h"
#include "radix_sort.h"

enum {
    DIGITS = RADIX_DIGITS, /* as many as threads: thread x cares for digit x */
    MOST_PASSES = 64 / RADIX_BITS,
    COUNT_BITS = 30
};

/* What a tile has published of a digit: nothing, its own keys, or all keys up to it. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

/* How a tile learns where its keys go. */
typedef enum mode {
    IN_TILE, /* they stay in the tile */
    BY_TABLE,
    BY_LOOK_BACK
} mode;

typedef struct pass {
    const void *d_in;
    void *d_out;
    const unsigned *d_values; /* null: keys alone */
    unsigned *d_values_out;
    int n, tiles;
    int shift; /* the digit: bits from this one on, those of the mask */
    unsigned mask;
    /* BY_TABLE: table[x * tiles + tile]: keys of digit x, of this tile, or, once scanned, of all
       tiles before it; total[x]: of all tiles */
    int *table, *total;
    /* BY_LOOK_BACK: word[tile * DIGITS + x]; count[x]: keys of digit x, of all tiles */
    unsigned *word, *ticket, *count;
} pass;

static __device__ __forceinline__ int digit_of(pass p, bits key)
{
    return (int)((unsigned)(key >> p.shift) & p.mask);
}

/* Publishes `keys` keys of digit x. */
static __device__ __forceinline__ void publish(pass p, int tile, int x, status what, int keys)
{
    *(volatile unsigned *)&p.word[tile * DIGITS + x] =
        (unsigned)what << COUNT_BITS | (unsigned)keys;
}

/* What the tile has published of digit x last. *keys is 0 where that is INVALID. */
static __device__ __forceinline__ status inspect(pass p, int tile, int x, int *keys)
{
    const unsigned word = *(volatile unsigned *)&p.word[tile * DIGITS + x];

    *keys = (int)(word & ((1u << COUNT_BITS) - 1));
    return (status)(word >> COUNT_BITS);
}

/* The block's next tile, by ticket: all tiles before it have been taken by blocks that run. The
   whole block calls it. */
static __device__ __forceinline__ int take_tile(pass p)
{
    __shared__ unsigned s_tile;

    if (threadIdx.x == 0)
        s_tile = atomicAdd(p.ticket, 1u);
    __syncthreads();
    return (int)s_tile;
}

/* ---- a number for each digit ----------------------------------------------------------------- */

/* Thread x brings the number of digit x, and gets the sum of those before. The whole block calls
   it; it meets two barriers. */
static __device__ __forceinline__ int scan_digits(int number)
{
    __shared__ int s_sum[WARPS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int sum = number, before = 0;

#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int left = __shfl_up_sync(ALL_LANES, sum, distance);
        if (lane >= distance)
            sum += left;
    }
    if (lane == WARP - 1)
        s_sum[warp] = sum;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        if (w < warp)
            before += s_sum[w];
    __syncthreads(); /* the next scan overwrites them */
    return before + sum - number;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* All passes of a sort by the bits [first, end), the lowest digit first. */
typedef struct plan {
    pass by[MOST_PASSES];
    int passes;
    unsigned *d_aside; /* memory for tables, or for words */
} plan;

/* Memory of so many bytes, kept for the next call, which takes more if it needs more. Null: there
   is not enough. */
static char *scratch(size_t bytes)
{
    static void *d_memory;
    static size_t room;

    if (bytes > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc(&d_memory, bytes) != cudaSuccess)
            d_memory = NULL;
        else
            room = bytes;
    }
    return (char *)d_memory;
}

/* aside: words of d_aside; a pass gets none of it yet. False: there is not enough memory. */
static bool open_plan(plan *s, size_t key_bytes, const void *d_in, const unsigned *d_values,
                      void *d_out, unsigned *d_values_out, int n, int first, int end, size_t aside)
{
    const size_t keys = (size_t)tiles_of(n) * TILE, values = d_values ? keys : 0,
                 words = (aside + 63) / 64 * 64; /* keys begin at a sector */
    char *d_memory =
        scratch(words * sizeof(unsigned) + keys * key_bytes + values * sizeof(unsigned));

    s->passes = (end - first + RADIX_BITS - 1) / RADIX_BITS;
    s->d_aside = (unsigned *)d_memory;
    if (!d_memory)
        return false;
    void *d_keys = d_memory + words * sizeof(unsigned);
    unsigned *d_other = values ? (unsigned *)((char *)d_keys + keys * key_bytes) : NULL;
    for (int k = 0; k < s->passes; k++) {
        const bool to_out = (s->passes - k) % 2 == 1; /* the last one is */
        pass p = {};
        p.d_in = k == 0 ? d_in : to_out ? d_keys : d_out;
        p.d_values = k == 0 ? d_values : to_out ? d_other : d_values_out;
        p.d_out = to_out ? d_out : d_keys;
        p.d_values_out = to_out ? d_values_out : d_other;
        p.n = n;
        p.tiles = tiles_of(n);
        p.shift = first + k * RADIX_BITS;
        p.mask = end - p.shift < RADIX_BITS ? (1u << (end - p.shift)) - 1 : DIGITS - 1;
        s->by[k] = p;
    }
    return true;
}

#endif
