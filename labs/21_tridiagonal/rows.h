/*
 * rows.h: a row of a tridiagonal system, and how it lies in shared memory: its four numbers in four
 * arrays, so that neighbouring rows are neighbouring words. Given; for inclusion by tridiagonal.cu.
 */
#ifndef ROWS_H
#define ROWS_H

#include "tridiagonal.h"

enum {
    ROWS = TRIDIAGONAL_ROWS,
    BANKS = TRIDIAGONAL_BANKS,
    PLACES = ROWS + ROWS / BANKS, /* words of an array: room for a free one after every 32 */
    WIDTH = WATER_WIDTH,
    COLUMNS = WATER_COLUMNS,
    ROWS_AT_ONCE = ROWS / COLUMNS, /* of the grid: so many a block of 256 reads at a time */
    COLUMN_ROOM = ROWS + BANKS / COLUMNS
};

/* a x[i-1] + b x[i] + c x[i+1] = d */
typedef struct row {
    float a, b, c, d;
} row;

/* the array of s_row that holds d */
enum { D = 3 };

/* x = 0, and nothing about others: what stands for a row that is not there. */
#define NO_ROW no_row()
static __device__ __forceinline__ row no_row(void)
{
    row r = { 0.0f, 1.0f, 0.0f, 0.0f };
    return r;
}

static __device__ __forceinline__ row get_row(const float s_row[4][PLACES], int word)
{
    row r = { s_row[0][word], s_row[1][word], s_row[2][word], s_row[D][word] };
    return r;
}

static __device__ __forceinline__ void put_row(float s_row[4][PLACES], int word, row r)
{
    s_row[0][word] = r.a;
    s_row[1][word] = r.b;
    s_row[2][word] = r.c;
    s_row[D][word] = r.d;
}

/* Depth of the water where its surface has that height; 0: dry. */
static __device__ __forceinline__ float depth(float height, float ground)
{
    return height > ground ? height - ground : 0.0f;
}

#endif
