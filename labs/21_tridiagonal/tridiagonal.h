/*
 * tridiagonal.h: the contract of lab 21, between tridiagonal.cu and its callers.
 *
 * Row i of a tridiagonal system says  a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i].  Of n rows the
 * first 256 are one system, the next 256 another, and so on; the last system has what is left, any
 * number from 1 to 256. The a of a system's first row and the c of its last belong to nothing: they
 * may hold anything, NaN too, and count as 0.
 *
 * Systems are diagonally dominant, |b| >= |a| + |c| in every row, so that rows are eliminated in
 * any order without pivoting; |b| lies between 2^-60 and 2^61, so that a product of two fits a
 * float. An x may be wrong by at most 1/10000 of itself, however small it is.
 *
 * Common to all entries:
 *   d_...  arrays of n floats in device memory, or as many as an entry says. Inputs are only read;
 *          outputs are apart from them, and every element is written
 *   n      rows of all systems, or cells, 0 <= n < 2^31; n = 0 launches nothing
 * An entry launches its kernels on the default stream, blocks of 256 threads, and returns without
 * waiting. It reports no errors of its own: the caller asks cudaGetLastError and
 * cudaDeviceSynchronize.
 *
 * Source: Hockney and Jesshope, Parallel Computers, 1981 (both reductions); Sengupta, Harris, Zhang
 * and Owens, "Scan Primitives for GPU Computing", Graphics Hardware 2007; Kass and Miller, "Rapid,
 * Stable Fluid Dynamics for Computer Graphics", SIGGRAPH 1990.
 */
#ifndef TRIDIAGONAL_H
#define TRIDIAGONAL_H

enum {
    TRIDIAGONAL_ROWS = 256, /* of a system; threads per block, which has one system */
    TRIDIAGONAL_BANKS = 32, /* of shared memory */
    WATER_WIDTH = 256,      /* cells of a row of the water */
    WATER_CELLS = 65536,    /* most cells of the water: 256 rows */
    WATER_COLUMNS = 8       /* neighbouring columns that a block takes: 32 bytes of a row */
};

#ifdef __cplusplus
extern "C" {
#endif

/* All systems, one launch. cyclic: by cyclic reduction, 2 log2 256 - 1 = 15 steps. parallel: by
   parallel cyclic reduction, log2 256 = 8 steps. */
void tridiagonal_cyclic(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                        float *d_x, int n);
void tridiagonal_parallel(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                          float *d_x, int n);

/*
 * Water over a ground, n <= WATER_CELLS cells in rows of WATER_WIDTH; the last row may be shorter.
 * A cell has the height of its surface, and its ground's, counted from any level: both may be
 * negative. Its depth is height less ground, or 0 where that is negative: the cell is dry. Between
 * two neighbours that are both wet water flows through a face:
 *
 *     face = WATER_FLOW * (depth of one + depth of the other)
 *
 * and between others, or across the border of the cells, none: there face is 0. WATER_FLOW is
 * g dt^2 / (2 dx^2) of Kass and Miller. A step is implicit: with the heights h of now, and those
 * that were before,
 *
 *     a line of cells is a system: (1 + left face + right face) h'[i]
 *                                  - left face * h'[i-1] - right face * h'[i+1] = r[i]
 *
 *     rows      r = 2 now - before     h' = half     depths are those of now
 *     columns   r = half               h' = next     depths are those of now, too
 *
 * What a cell loses through a face its neighbour gets, so the heights of a line have the sum of its
 * r: no water is lost.
 */
#define WATER_FLOW 0.25f

/* Every row of cells: one launch, a block a row. */
void water_rows(const float *d_ground, const float *d_before, const float *d_now, float *d_half,
                int n);

/* Every column: one launch, a block for WATER_COLUMNS of them. d_half and d_next may be the same
   array. */
void water_columns(const float *d_ground, const float *d_now, const float *d_half, float *d_next,
                   int n);

/* A step: rows, then columns, two launches, and no memory besides d_next. */
void water_step(const float *d_ground, const float *d_before, const float *d_now, float *d_next,
                int n);

/* Steps: given in steps.h, they try your device functions one by one. */

/* load_row: d_row[4 i] to d_row[4 i + 3] are a, b, c and d of row i. Every system has 256 rows
   here: d_row has 1024 floats for each. */
void tridiagonal_loaded(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                        float *d_row, int n);

/* combine: d_row[4 i] and so on, 4 n floats, are what becomes of row i of the array with rows i - 1
   and i + 1; at its ends NO_ROW stands for the missing one. */
void tridiagonal_combined(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                          float *d_row, int n);

/* solve_two: rows 2 k and 2 k + 1 are a system of two, and x is wanted. Where n is odd, the last
   one has NO_ROW after it. */
void tridiagonal_two(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                     float *d_x, int n);

/* water_row: d_row[4 i] and so on, 4 n floats, are the row of cell i of a line of n cells. */
void water_equations(const float *d_ground, const float *d_now, const float *d_right, float *d_row,
                     int n);

#ifdef __cplusplus
}
#endif

#endif
