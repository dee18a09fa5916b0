/*
 * tile.h: a tile of lab 16 in the registers of its block, an element a lane in each of ROWS rows of
 * a warp.
 *
 *     next_tile                   the whole block: its tile, by ticket
 *     place_of                    place in its tile of the lane's element in row r
 *     load_tile, store_tile       elements, beyond the array's end 0
 *     load_mirrored, store_...    the same backward
 *     lanes_from                  a mask of a warp
 *     vote_heads                  flags of a row to a bit for each lane
 *     offsets_up_to               where in the offsets a tile begins
 */
#ifndef TILE_H
#define TILE_H

#include "descriptors.h"
#include "segmented_scan.h"

enum {
    THREADS = SEGMENTED_THREADS,
    TILE = SEGMENTED_TILE,
    ROWS = SEGMENTED_ROWS,
    WARPS = THREADS / WARP
};

/* Bits from lane `start` on; of all where it is -1. */
static __device__ __forceinline__ unsigned lanes_from(int start)
{
    return start < 0 ? ALL_LANES : ALL_LANES << start;
}

static __device__ __forceinline__ long long next_tile(descriptors d)
{
    __shared__ long long s_tile;

    if (threadIdx.x == 0)
        s_tile = take_tile(d);
    __syncthreads();
    return s_tile;
}

static __device__ __forceinline__ int place_of(int r)
{
    return ((int)threadIdx.x / WARP * ROWS + r) * WARP + (int)threadIdx.x % WARP;
}

/* The tile that begins at element `first`; elements from n on are 0 and no heads. */
static __device__ __forceinline__ void load_tile(const float *d_in, const unsigned char *d_head,
                                                 long long first, long long n, float item[ROWS],
                                                 unsigned heads[ROWS])
{
    /* all loads before the first vote: they are under way together */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const long long i = first + place_of(r);
        item[r] = i < n ? d_in[i] : 0.0f;
        heads[r] = i < n ? d_head[i] : 0;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        heads[r] = __ballot_sync(ALL_LANES, heads[r] != 0);
}

static __device__ __forceinline__ void store_tile(float *d_out, long long first, long long n,
                                                  const float item[ROWS])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const long long i = first + place_of(r);
        if (i < n)
            d_out[i] = item[r];
    }
}

/* The tile whose place p is element high - 1 - p; what lies before element 0 is 0. */
static __device__ __forceinline__ void load_mirrored(const float *d_in, int high, float item[ROWS])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = high - 1 - place_of(r);
        item[r] = i >= 0 ? d_in[i] : 0.0f;
    }
}

static __device__ __forceinline__ void store_mirrored(float *d_out, int high,
                                                      const float item[ROWS])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = high - 1 - place_of(r);
        if (i >= 0)
            d_out[i] = item[r];
    }
}

/* Of flags in shared memory, by place. */
static __device__ __forceinline__ void vote_heads(const unsigned char *s_head, unsigned heads[ROWS])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        heads[r] = __ballot_sync(ALL_LANES, s_head[place_of(r)] != 0);
}

/* How many of the offsets are x or less. */
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

#endif
