/*
 * look_back.h: what a tile of lab 14 tells the others, and what it learns from them: lab 10's
 * decoupled look-back, for counts and for pairs.
 *
 *     word of a tile   [ status, 2 bits | epoch, 20 bits | count, 42 bits ]
 *
 * Nothing clears the words between launches: a word with the epoch of another launch says INVALID.
 * A count is in the word itself and can never come apart from its status. Of a pair the word holds
 * the heads; what is open has a place beside it, one for the aggregate and one for the prefix, and
 * fences stand between the two.
 *
 *     take_tile          a block's next tile, by ticket
 *     count_before       tells the tile's count, returns that of all tiles before it; for one warp
 *     pair_before        the same of pairs
 *     open_descriptors   on the host, before a launch
 *
 * They call publish, inspect and join of compaction.cu.
 */
#ifndef LOOK_BACK_H
#define LOOK_BACK_H

#include <cuda_runtime.h>

#include "elements.h"

enum { COUNT_BITS = 42, EPOCH_BITS = 20 };

static const unsigned LAST_EPOCH = (1u << EPOCH_BITS) - 1;

typedef enum status { INVALID, AGGREGATE, PREFIX } status;

/* All but the epoch are arrays in device memory, with an element for each tile. */
typedef struct descriptors {
    unsigned *ticket; /* one for all: tiles taken so far; 0 before and after every launch */
    unsigned long long *word;
    value *aggregate, *prefix; /* what is open, of pairs only */
    unsigned epoch;            /* the number of this launch */
} descriptors;

/* What is done with the elements; in place, d_out is d_in. */
typedef enum mode { SELECT, PARTITION, IN_PLACE } mode;

static __device__ __forceinline__ void publish(mode m, descriptors d, long long tile, status what,
                                               long long count);
static __device__ __forceinline__ status inspect(mode m, descriptors d, long long tile,
                                                 long long *count);
static __device__ __forceinline__ pair join(type t, pair left, pair right);

static __device__ __forceinline__ unsigned long long word_of(descriptors d, status what,
                                                             long long count)
{
    return (unsigned long long)what << (COUNT_BITS + EPOCH_BITS) |
           (unsigned long long)d.epoch << COUNT_BITS | (unsigned long long)count;
}

static __device__ __forceinline__ status status_of(descriptors d, unsigned long long word)
{
    const unsigned epoch = (unsigned)(word >> COUNT_BITS) & LAST_EPOCH;

    return epoch == d.epoch ? (status)(word >> (COUNT_BITS + EPOCH_BITS)) : INVALID;
}

static __device__ __forceinline__ long long count_of(unsigned long long word)
{
    return (long long)(word & ((1ull << COUNT_BITS) - 1));
}

/* The whole block calls it, and s_tile is its own. By ticket: whoever holds a tile knows that all
   tiles before it have been taken by blocks that run. */
static __device__ __forceinline__ long long take_tile(descriptors d, unsigned *s_tile)
{
    if (threadIdx.x == 0)
        *s_tile = atomicInc(d.ticket, gridDim.x - 1); /* the last one makes it 0 again */
    __syncthreads();
    return *s_tile;
}

/* The lanes up to the nearest PREFIX, lane 0 at the nearest tile; all where there is none. */
static __device__ __forceinline__ int last_that_counts(unsigned prefixes)
{
    return prefixes != 0 ? __ffs((int)prefixes) - 1 : WARP - 1;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static __device__ __forceinline__ long long count_before(mode m, descriptors d, long long tile,
                                                         long long own)
{
    const int lane = threadIdx.x % WARP;
    long long before = 0;
    unsigned prefixes = tile == 0;

    if (tile > 0 && lane == 0)
        publish(m, d, tile, AGGREGATE, own);
    for (long long nearest = tile - 1; prefixes == 0; nearest -= WARP) {
        const long long mine = nearest - lane;
        /* left of tile 0 lies the prefix of nothing */
        status seen = mine >= 0 ? INVALID : PREFIX;
        long long count = 0;
        int last = WARP - 1;

        do {
            if (seen == INVALID && lane <= last)
                seen = inspect(m, d, mine, &count);
            prefixes = __ballot_sync(ALL_LANES, seen == PREFIX);
            last = last_that_counts(prefixes);
        } while (__any_sync(ALL_LANES, seen == INVALID && lane <= last));
        count = lane <= last ? count : 0;
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2)
            count += __shfl_xor_sync(ALL_LANES, count, distance);
        before += count;
    }
    if (lane == 0)
        publish(m, d, tile, PREFIX, before + own);
    return before;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ void publish_pair(descriptors d, long long tile, status what,
                                                    pair p)
{
    if (what == AGGREGATE)
        d.aggregate[tile] = p.open;
    else
        d.prefix[tile] = p.open;
    /* whoever sees the word will find the value */
    __threadfence();
    *(volatile unsigned long long *)&d.word[tile] = word_of(d, what, p.heads);
}

static __device__ __forceinline__ status inspect_pair(descriptors d, long long tile, pair *p)
{
    const unsigned long long word = *(volatile unsigned long long *)&d.word[tile];
    const status seen = status_of(d, word);

    if (seen != INVALID) {
        /* the value is not read ahead of the word */
        __threadfence();
        p->heads = count_of(word);
        p->open = seen == PREFIX ? d.prefix[tile] : d.aggregate[tile];
    }
    return seen;
}

/* A pair of the lane further right: of a tile that lies further left. */
static __device__ __forceinline__ pair from_right(type t, pair p, int distance)
{
    p.heads = __shfl_down_sync(ALL_LANES, p.heads, distance);
    p.open = t == I64 ? __shfl_down_sync(ALL_LANES, p.open, distance)
                      : __shfl_down_sync(ALL_LANES, (unsigned)p.open, distance);
    return p;
}

static __device__ __forceinline__ pair pair_before(type t, descriptors d, long long tile, pair own)
{
    const int lane = threadIdx.x % WARP;
    pair before = { 0, 0 };
    unsigned prefixes = tile == 0;

    if (tile > 0 && lane == 0)
        publish_pair(d, tile, AGGREGATE, own);
    for (long long nearest = tile - 1; prefixes == 0; nearest -= WARP) {
        const long long mine = nearest - lane;
        status seen = mine >= 0 ? INVALID : PREFIX;
        pair p = { 0, 0 };
        int last = WARP - 1;

        do {
            if (seen == INVALID && lane <= last)
                seen = inspect_pair(d, mine, &p);
            prefixes = __ballot_sync(ALL_LANES, seen == PREFIX);
            last = last_that_counts(prefixes);
        } while (__any_sync(ALL_LANES, seen == INVALID && lane <= last));
        /* rising distances keep what a lane holds in one piece, the farther tiles on the left */
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const pair farther = from_right(t, p, distance);
            if (lane + distance <= last)
                p = join(t, farther, p);
        }
        p.heads = __shfl_sync(ALL_LANES, p.heads, 0);
        p.open = from_lane(t, p.open, 0);
        before = join(t, p, before);
    }
    if (lane == 0)
        publish_pair(d, tile, PREFIX, join(t, before, own));
    return before;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* Descriptors of so many tiles, in an epoch of their own. The memory is kept for the next call,
   which takes more if it needs more. It is cleared when it is new, and when the epochs run out.
   False: there is not enough memory. */
static bool open_descriptors(unsigned tiles, descriptors *d)
{
    static unsigned long long *d_memory; /* ticket, words, aggregates, prefixes */
    static size_t room;                  /* tiles */
    static unsigned epoch;

    if (tiles > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, (1 + 3 * (size_t)tiles) * sizeof *d_memory) !=
            cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = tiles;
        epoch = LAST_EPOCH;
    }
    if (epoch == LAST_EPOCH) {
        if (cudaMemsetAsync(d_memory, 0, (1 + room) * sizeof *d_memory) != cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = (unsigned *)d_memory;
    d->word = d_memory + 1;
    d->aggregate = d->word + room;
    d->prefix = d->aggregate + room;
    d->epoch = ++epoch;
    return true;
}

#endif
