/*
 * splits.h: where a row of items is cut, for this lab and for lab 20, whose segments are rows of a
 * matrix. Elements and ends of segments are one row of items: the end of segment s stands after
 * the segment's elements, as number d_offset[s + 1] + s.
 *
 *     ends_together    how many ends are among the first items: a warp, or parts of it
 */
#ifndef SPLITS_H
#define SPLITS_H

#include "../14_compaction_speed/ring.h"

/* Is the end of segment s among the first `items`? */
static __device__ __forceinline__ bool is_before(const int *d_offset, long long s, long long items)
{
    return d_offset[s + 1] + s < items;
}

/* Of `low` to `high` ends those that are left when each lane of a group has looked at segment
   `probe`, which does not fall from lane to lane. A whole warp calls it; a group is `width` of its
   lanes, side by side. */
static __device__ __forceinline__ void narrow(const int *d_offset, long long items, long long probe,
                                              int width, long long *low, long long *high)
{
    const int group = threadIdx.x % WARP / width * width;
    const bool before = probe < *low || (probe < *high && is_before(d_offset, probe, items));
    const unsigned all = __ballot_sync(ALL_LANES, before) >> group;
    const int count = __popc((int)(all & ALL_LANES >> (WARP - width)));
    const long long last = __shfl_sync(ALL_LANES, probe, group + (count > 0 ? count - 1 : 0)),
                    next =
                        __shfl_sync(ALL_LANES, probe, group + (count < width ? count : width - 1));

    if (count > 0 && last >= *low)
        *low = last + 1;
    if (count < width && next < *high)
        *high = next;
}

/* How many of the first `items` are ends, [low, high] of them: `width` segments a step. The first
   step looks at segment `low`, which is enough inside a long one, and around a guess, further and
   further away. A whole warp calls it, each group of its lanes for items of its own. */
static __device__ __forceinline__ long long ends_together(const int *d_offset, long long items,
                                                          long long low, long long high,
                                                          long long guess, int width)
{
    const int lane = threadIdx.x % width, half = width / 2, bits = 2 + 12 / half;
    const long long probe = lane < half ? guess - (1LL << bits * (half - 1 - lane))
                                        : guess - 1 + (1LL << bits * (lane - half));

    narrow(d_offset, items, lane == 0 || probe < low ? low : probe, width, &low, &high);
    while (__any_sync(ALL_LANES, low < high))
        narrow(d_offset, items, low + (high - low) * lane / width, width, &low, &high);
    return low;
}

#endif
