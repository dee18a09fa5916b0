/*
 * pairs.h: what a tile of lab 15 publishes, and what it learns from others: look-back as in
 * lab 14, but for pairs.
 *
 * The word of a tile holds its heads. The unfinished run has a place beside it, one for the
 * aggregate and one for the prefix, and fences stand between the two.
 *
 *     pair_before   publishes the tile's pair, returns that of all tiles before it; for one warp
 *     open_pairs    on the host, before a launch
 *
 * pair_before calls join of runs.cu.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "../14_compaction/words.h"
#include "keys.h"

typedef struct pair_descriptors {
    descriptors tiles;
    value *aggregate, *prefix; /* the unfinished run's, an element for each tile */
} pair_descriptors;

static __device__ __forceinline__ pair join(type t, pair left, pair right);

static __device__ __forceinline__ void publish_pair(pair_descriptors d, long long tile, status what,
                                                    pair p)
{
    if (what == AGGREGATE)
        d.aggregate[tile] = p.open;
    else
        d.prefix[tile] = p.open;
    /* whoever sees the word will find the value */
    __threadfence();
    *(volatile unsigned long long *)&d.tiles.word[tile] = word_of(d.tiles, what, p.heads);
}

static __device__ __forceinline__ status inspect_pair(pair_descriptors d, long long tile, pair *p)
{
    const unsigned long long word = *(volatile unsigned long long *)&d.tiles.word[tile];
    const status seen = status_of(d.tiles, word);

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

/* Publishes the tile's pair, and returns that of all tiles before it; for one warp. */
static __device__ __forceinline__ pair pair_before(type t, pair_descriptors d, long long tile,
                                                   pair own)
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

/* Descriptors of so many tiles, as open_descriptors has them. False: there is not enough memory. */
static bool open_pairs(unsigned tiles, pair_descriptors *d)
{
    static value *d_open; /* aggregates, prefixes */
    static size_t room;   /* tiles */

    if (tiles > room) {
        cudaFree(d_open);
        room = 0;
        if (cudaMalloc((void **)&d_open, 2 * (size_t)tiles * sizeof *d_open) != cudaSuccess) {
            d_open = NULL;
            return false;
        }
        room = tiles;
    }
    d->aggregate = d_open;
    d->prefix = d_open + room;
    return open_descriptors(tiles, &d->tiles);
}

#endif
