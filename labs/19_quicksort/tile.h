/*
 * tile.h: a tile in the registers of its block, an element a lane in each of ROWS rows of a warp.
 *
 *     place_of              place in its tile of the lane's element in row r
 *     is_head               of a row's heads: is the lane's element one?
 *     segment_start         of a row's heads: at which lane does a lane's segment begin?
 *     vote_heads            flags of a tile, in shared memory, to a bit for each lane
 *
 * Needs THREADS of a block, and the elements of a TILE.
 */
#ifndef TILE_H
#define TILE_H

#include "descriptors.h"

enum { ROWS = TILE / THREADS, WARPS = THREADS / WARP };

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

#endif
