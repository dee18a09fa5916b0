/*
 * scan_tile.h: the segmented scan of lab 16 over a tile in registers, for items of type ITEM, an
 * int or a float.
 *
 *     scan_tile_<ITEM>      the whole block: each item becomes the sum of its segment up to and
 *                           with itself
 */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include "tile.h"

static __device__ __forceinline__ unsigned bits_of_int(int v) { return (unsigned)v; }
static __device__ __forceinline__ unsigned bits_of_float(float v) { return __float_as_uint(v); }
static __device__ __forceinline__ int int_of_bits(unsigned bits) { return (int)bits; }
static __device__ __forceinline__ float float_of_bits(unsigned bits)
{
    return __uint_as_float(bits);
}

#define SCAN_JOIN_NAMES(a, b) a##b
#define SCAN_JOIN(a, b)       SCAN_JOIN_NAMES(a, b)
#define SCAN_NAME(name)       SCAN_JOIN(name, ITEM)

/* Scans a warp's rows by themselves. Returns what is open after them; *any: have they a head? */
static __device__ __forceinline__ ITEM SCAN_NAME(scan_rows_)(ITEM item[ROWS],
                                                             const unsigned heads[ROWS], bool *any)
{
    const int lane = threadIdx.x % WARP;
    ITEM open = 0;

    *any = false;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int start = segment_start(heads[r], lane), lowest = start < 0 ? 0 : start;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const ITEM left = __shfl_up_sync(ALL_LANES, item[r], distance);
            if (lane - distance >= lowest)
                item[r] += left;
        }
        if (start < 0)
            item[r] += open;
        *any = *any || heads[r] != 0;
        open = __shfl_sync(ALL_LANES, item[r], WARP - 1);
    }
    return open;
}

/* A warp: the sum of the AGGREGATEs before the tile, up to the nearest PREFIX, and that. */
static __device__ __forceinline__ ITEM SCAN_NAME(look_back_)(descriptors d, int tile)
{
    const int lane = threadIdx.x % WARP;
    ITEM before = 0;

    for (int nearest = tile - 1;; nearest -= WARP) {
        const int mine = nearest - lane;
        /* left of tile 0 lies the prefix of nothing */
        status seen = mine >= 0 ? INVALID : PREFIX;
        unsigned bits = 0;

        while (__any_sync(ALL_LANES, seen == INVALID))
            if (seen == INVALID)
                seen = inspect(d, mine, &bits);

        const unsigned prefixes = __ballot_sync(ALL_LANES, seen == PREFIX);
        const int last = prefixes != 0 ? __ffs((int)prefixes) - 1 : WARP - 1;
        ITEM sum = SCAN_JOIN(ITEM, _of_bits)(bits);
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const ITEM farther = __shfl_down_sync(ALL_LANES, sum, distance);
            if (lane + distance <= last)
                sum += farther;
        }
        before += __shfl_sync(ALL_LANES, sum, 0);
        if (prefixes != 0)
            return before;
    }
}

/* Warp 0: publishes what the tile has open at its end, and returns what lies before it. */
static __device__ __forceinline__ ITEM SCAN_NAME(publish_and_look_)(descriptors d, int tile,
                                                                    ITEM open, bool any)
{
    /* a tile with a head knows its prefix without looking back */
    const bool known = any || tile == 0, leads = threadIdx.x % WARP == 0;

    if (leads)
        publish(d, tile, known ? PREFIX : AGGREGATE, SCAN_NAME(bits_of_)(open));
    const ITEM before = tile > 0 ? SCAN_NAME(look_back_)(d, tile) : 0;
    if (leads && !known)
        publish(d, tile, PREFIX, SCAN_NAME(bits_of_)(before + open));
    return before;
}

/* The whole block: item[r] becomes the sum of its segment up to and with itself, in this tile and
   those before it. Returns what was open before the tile. */
static __device__ __forceinline__ ITEM SCAN_NAME(scan_tile_)(descriptors d, int tile,
                                                             ITEM item[ROWS],
                                                             const unsigned heads[ROWS])
{
    __shared__ ITEM s_open[WARPS], s_before;
    __shared__ bool s_any[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    ITEM before = 0, all = 0;
    bool any, any_before = false, any_at_all = false;
    const ITEM open = SCAN_NAME(scan_rows_)(item, heads, &any);

    if (lane == 0) {
        s_open[warp] = open;
        s_any[warp] = any;
    }
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp) {
            before = all;
            any_before = any_at_all;
        }
        all = s_any[w] ? s_open[w] : all + s_open[w];
        any_at_all = any_at_all || s_any[w];
    }
    if (warp == 0) {
        const ITEM outside = SCAN_NAME(publish_and_look_)(d, tile, all, any_at_all);
        if (lane == 0)
            s_before = outside;
    }
    __syncthreads();
    if (!any_before)
        before += s_before;
    bool in_front = true; /* of the warp's first head */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (in_front && segment_start(heads[r], lane) < 0)
            item[r] += before;
        in_front = in_front && heads[r] == 0;
    }
    return s_before;
}

#undef SCAN_NAME
#undef SCAN_JOIN
#undef SCAN_JOIN_NAMES

#endif
