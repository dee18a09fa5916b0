/*
 * look_back.h: what a tile of lab 14 learns from those before it: lab 10's decoupled look-back, for
 * counts. It calls publish and inspect of compaction.cu.
 */
#ifndef LOOK_BACK_H
#define LOOK_BACK_H

#include "words.h"

/* What is done with the elements; in place, d_out is d_in. */
typedef enum mode { SELECT, PARTITION, IN_PLACE } mode;

static __device__ __forceinline__ void publish(mode m, descriptors d, long long tile, status what,
                                               long long count);
static __device__ __forceinline__ status inspect(mode m, descriptors d, long long tile,
                                                 long long *count);

/* Publishes the tile's count, and returns that of all tiles before it; for one warp. */
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

#endif
