/*
 * matrix.h: the matrix of lab 20, the searches in its offsets, and the segmented scan of lab 16
 * that sums the products of a tile: scan_tile_float in scan_tile.h.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "sparse_matrix.h"

enum { THREADS = SPMV_THREADS, TILE = SPMV_TILE };

#define ITEM float
#include "../19_quicksort/scan_tile.h"

typedef struct matrix {
    const float *d_value;
    const int *d_column, *d_offset;
    int rows, n; /* nonzeros */
} matrix;

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

/* Nonzeros and ends of rows in one row of items, each end after its row's nonzeros, so that row
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
