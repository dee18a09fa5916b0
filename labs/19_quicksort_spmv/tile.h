/*
 * tile.h: a tile of lab 19 in the registers of its block, an element a lane in each of ROWS rows of
 * a warp; and the segmented scan of lab 16 over it.
 *
 *     place_of              place in its tile of the lane's element in row r
 *     is_head               of a row's heads: is the lane's element one?
 *     vote_heads            flags of a tile, in shared memory, to a bit for each lane
 *     scan_tile_int,        in scan_tile.h: the whole block: each item becomes the sum of its
 *     scan_tile_float       segment up to and with itself
 *     offsets_up_to,        searches in offsets
 *     ends_before
 */
#ifndef TILE_H
#define TILE_H

#include "descriptors.h"
#include "quicksort_spmv.h"

enum {
    THREADS = QUICKSORT_THREADS,
    TILE = QUICKSORT_TILE,
    ROWS = TILE / THREADS,
    WARPS = THREADS / WARP
};

static __device__ __forceinline__ int place_of(int r)
{
    return ((int)threadIdx.x / WARP * ROWS + r) * WARP + (int)threadIdx.x % WARP;
}

static __device__ __forceinline__ bool is_head(unsigned heads)
{
    return heads >> threadIdx.x % WARP & 1;
}

static __device__ __forceinline__ void vote_heads(const unsigned char *s_head, unsigned heads[ROWS])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        heads[r] = __ballot_sync(ALL_LANES, s_head[place_of(r)] != 0);
}

/* The lane at which the segment of `lane` begins, or -1: further left than this row. */
static __device__ __forceinline__ int segment_start(unsigned heads, int lane)
{
    return WARP - 1 - __clz((int)(heads & ALL_LANES >> (WARP - 1 - lane)));
}

/* ---- the scan -------------------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned bits_of_int(int v) { return (unsigned)v; }
static __device__ __forceinline__ unsigned bits_of_float(float v) { return __float_as_uint(v); }
static __device__ __forceinline__ int int_of_bits(unsigned bits) { return (int)bits; }
static __device__ __forceinline__ float float_of_bits(unsigned bits)
{
    return __uint_as_float(bits);
}

#define ITEM int
#include "scan_tile.h"
#undef ITEM
#define ITEM float
#include "scan_tile.h"
#undef ITEM

/* ---- offsets --------------------------------------------------------------------------------- */

/* How many of the `count` offsets are x or less. */
static __device__ int offsets_up_to(const int *d_offset, int count, int x)
{
    int low = 0, high = count;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (d_offset[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Nonzeros and ends of rows in one row of items, each end behind its row's nonzeros, so that row
   r ends at item d_offset[r + 1] + r: how many of the first `at` items are ends. */
static __device__ int ends_before(const int *d_offset, int rows, long long at)
{
    int low = 0, high = rows;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if ((long long)d_offset[middle + 1] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
