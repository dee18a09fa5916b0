/*
 * picture.h: the pictures of lab 23, and a tile of one in the registers of its block.
 *
 * A tile has SIDE rows and columns, fewer where the picture ends. A warp owns ROWS rows side by
 * side of it, each in HALVES halves of 32 pixels: lane l has column l of each half. So a half is a
 * chunk of neighbours, and the next rows are in the same registers of the lane.
 *
 *     tile_of, load_tile, store_tile
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <cuda_runtime.h>

#include "summed_area_table.h"

enum {
    WARP = 32,
    THREADS = SAT_THREADS,
    WARPS = THREADS / WARP,
    AHEAD = 8, /* loads of a thread in scan_rows and scan_columns, before the first is used */
    SIDE = SAT_SIDE,
    ROWS = SIDE / WARPS, /* of a tile, for each warp */
    HALVES = SIDE / WARP /* of a row */
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

/* What lies outside the picture is 0. */
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
