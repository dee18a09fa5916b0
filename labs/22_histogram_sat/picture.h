/*
 * picture.h: the pictures of lab 22, a tile of one in the registers of its block, and what threads
 * of a block tell each other.
 *
 * A tile has SIDE rows and columns, fewer where the picture ends. A warp owns ROWS rows side by
 * side of it, each in HALVES halves of 32 pixels: lane l has column l of each half. So a half is a
 * chunk of neighbours, and the next rows are in the same registers of the lane.
 *
 *     load_bins           of HISTOGRAM_TILE pixels: the block's threads take neighbours, in turns
 *     load_tile, store_tile
 *     scan_bins           exclusive scan of one number of each thread of the block
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <cuda_runtime.h>

#include "histogram_sat.h"

enum {
    WARP = 32,
    THREADS = SAT_THREADS,
    WARPS = THREADS / WARP,
    BINS = HISTOGRAM_BINS, /* as many as threads: thread b cares for bin b */
    TURNS = HISTOGRAM_TILE / THREADS,
    QUERIES = 4 * THREADS, /* of a block of histogram_ranges */
    AHEAD = 8, /* loads of a thread in scan_row and scan_column, before the first is used */
    SIDE = SAT_SIDE,
    ROWS = SIDE / WARPS,  /* of a tile, for each warp */
    HALVES = SIDE / WARP, /* of a row */
    NO_BIN = BINS         /* of a pixel that is not there */
};

static const unsigned ALL_LANES = 0xffffffffu;

typedef long long sum;

/* Of n pixels: sides, and how many tiles lie side by side and above each other. */
typedef struct picture {
    int columns, rows, across, down;
} picture;

static __host__ __device__ __forceinline__ int parts_of(int n, int each)
{
    return (n - 1) / each + 1;
}

static picture picture_of(int n)
{
    const int columns = sat_columns(n), rows = sat_rows(n);
    const picture p = { columns, rows, parts_of(columns, SIDE), parts_of(rows, SIDE) };
    return p;
}

/* Index of pixel (x, y), which is in the picture. */
static __device__ __forceinline__ int at(picture p, int x, int y) { return y * p.columns + x; }

/* ---- pixels for a histogram ------------------------------------------------------------------ */

static __device__ __forceinline__ int bin_of(unsigned pixel) { return (int)(pixel >> 24); }

/* bin[k]: of the thread's pixels of tile `tile`; NO_BIN behind the last of the n pixels. */
static __device__ __forceinline__ void load_bins(const unsigned *d_in, int tile, int n,
                                                 int bin[TURNS])
{
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++) {
        const int i = tile * HISTOGRAM_TILE + turn * THREADS + (int)threadIdx.x;
        bin[turn] = i < n ? bin_of(d_in[i]) : NO_BIN;
    }
}

/* Thread b brings the number of bin b, and gets the sum of those before. The whole block calls it;
   it meets two barriers. */
static __device__ __forceinline__ unsigned scan_bins(unsigned number)
{
    __shared__ unsigned s_sum[WARPS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned all = number, before = 0;

#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const unsigned left = __shfl_up_sync(ALL_LANES, all, distance);
        if (lane >= distance)
            all += left;
    }
    if (lane == WARP - 1)
        s_sum[warp] = all;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        if (w < warp)
            before += s_sum[w];
    __syncthreads(); /* the next scan overwrites them */
    return before + all - number;
}

/* ---- a tile of a picture --------------------------------------------------------------------- */

/* Of a tile: its place among the tiles, its first pixel, and how many rows and columns it has. */
typedef struct tile {
    int column, row; /* in tiles */
    int x, y;        /* in pixels */
    int columns, rows;
} tile;

static __device__ __forceinline__ tile tile_of(picture p, int number)
{
    tile t;

    t.column = number % p.across;
    t.row = number / p.across;
    t.x = t.column * SIDE;
    t.y = t.row * SIDE;
    t.columns = p.columns - t.x < SIDE ? p.columns - t.x : SIDE;
    t.rows = p.rows - t.y < SIDE ? p.rows - t.y : SIDE;
    return t;
}

/* Column in its tile of the thread's pixels of this half; row in its tile of its warp's row. */
static __device__ __forceinline__ int column_of(int half)
{
    return half * WARP + (int)threadIdx.x % WARP;
}
static __device__ __forceinline__ int row_of(int row)
{
    return (int)threadIdx.x / WARP * ROWS + row;
}

static __device__ __forceinline__ bool is_there(tile t, int row, int half)
{
    return row_of(row) < t.rows && column_of(half) < t.columns;
}

/* What the picture lacks is 0. */
static __device__ __forceinline__ void load_tile(const unsigned *d_in, picture p, tile t,
                                                 sum v[ROWS][HALVES])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++)
#pragma unroll
        for (int half = 0; half < HALVES; half++)
            v[row][half] =
                is_there(t, row, half) ? d_in[at(p, t.x + column_of(half), t.y + row_of(row))] : 0;
}

/* above[c]: added to all of the warp's sums in column c of the tile. */
static __device__ __forceinline__ void store_tile(sum *d_table, picture p, tile t,
                                                  const sum v[ROWS][HALVES], const sum above[SIDE])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++)
#pragma unroll
        for (int half = 0; half < HALVES; half++)
            if (is_there(t, row, half))
                d_table[at(p, t.x + column_of(half), t.y + row_of(row))] =
                    v[row][half] + above[column_of(half)];
}

#endif
