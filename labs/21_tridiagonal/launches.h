/*
 * launches.h: the kernels of lab 21 and the entries of tridiagonal.h, but water_step. For inclusion
 * by tridiagonal.cu, after the functions that they call.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "rows.h"

static int systems(int n) { return (n - 1) / ROWS + 1; }

/* Rows of this block's system, or cells of its line. */
static __device__ int rows_there(int n) { return min(n - (int)blockIdx.x * ROWS, ROWS); }

/* ---- systems --------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(ROWS) cyclic(const float *d_a, const float *d_b, const float *d_c,
                                               const float *d_d, float *d_x, int n)
{
    __shared__ float s_row[4][PLACES];
    const int i = blockIdx.x * ROWS + threadIdx.x;
    const float x = solve_cyclic(load_row(d_a, d_b, d_c, d_d, i, n), s_row);

    if (i < n)
        d_x[i] = x;
}

__global__ void __launch_bounds__(ROWS)
    parallel(const float *d_a, const float *d_b, const float *d_c, const float *d_d, float *d_x,
             int n)
{
    __shared__ float s_row[4][PLACES];
    const int i = blockIdx.x * ROWS + threadIdx.x;
    const float x = solve_parallel(load_row(d_a, d_b, d_c, d_d, i, n), rows_there(n), s_row);

    if (i < n)
        d_x[i] = x;
}

void tridiagonal_cyclic(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                        float *d_x, int n)
{
    if (n > 0)
        cyclic<<<systems(n), ROWS>>>(d_a, d_b, d_c, d_d, d_x, n);
}

void tridiagonal_parallel(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                          float *d_x, int n)
{
    if (n > 0)
        parallel<<<systems(n), ROWS>>>(d_a, d_b, d_c, d_d, d_x, n);
}

/* ---- water ----------------------------------------------------------------------------------- */

/* A row of cells is a system as well: as many cells as threads. */
__global__ void __launch_bounds__(ROWS) rows_of_water(const float *d_ground, const float *d_before,
                                                      const float *d_now, float *d_half, int n)
{
    __shared__ float s_depth[ROWS], s_row[4][PLACES];
    const int t = threadIdx.x, i = blockIdx.x * WIDTH + t;
    const float now = i < n ? d_now[i] : 0.0f;
    const float right_side = i < n ? 2 * now - d_before[i] : 0.0f;

    s_depth[t] = i < n ? depth(now, d_ground[i]) : 0.0f;
    __syncthreads();
    const row r = water_row(t > 0 ? s_depth[t - 1] : 0.0f, s_depth[t],
                            t < ROWS - 1 ? s_depth[t + 1] : 0.0f, right_side);
    const float half = solve_parallel(r, rows_there(n), s_row);
    if (i < n)
        d_half[i] = half;
}

__global__ void __launch_bounds__(ROWS) columns_of_water(const float *d_ground, const float *d_now,
                                                         const float *d_half, float *d_next, int n)
{
    solve_columns(d_ground, d_now, d_half, d_next, n);
}

void water_rows(const float *d_ground, const float *d_before, const float *d_now, float *d_half,
                int n)
{
    if (n > 0)
        rows_of_water<<<systems(n), ROWS>>>(d_ground, d_before, d_now, d_half, n);
}

void water_columns(const float *d_ground, const float *d_now, const float *d_half, float *d_next,
                   int n)
{
    const int columns = n < WIDTH ? n : WIDTH;

    if (n > 0)
        columns_of_water<<<(columns - 1) / COLUMNS + 1, ROWS>>>(d_ground, d_now, d_half, d_next, n);
}

#endif
