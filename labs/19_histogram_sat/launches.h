/*
 * launches.h: the kernels of lab 19 and the entries of histogram_sat.h. For inclusion by
 * histogram_sat.cu, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "chains.h"
#include "picture.h"

enum { MOST_BLOCKS = 1024 /* of a histogram: as many as a large GPU has places for */ };

/* ---- histograms ------------------------------------------------------------------------------ */

__global__ void __launch_bounds__(THREADS)
    count_one_by_one(const unsigned *d_in, unsigned *d_count, int n)
{
    count_pixels(false, d_in, d_count, n);
}

__global__ void __launch_bounds__(THREADS)
    count_by_warps(const unsigned *d_in, unsigned *d_count, int n)
{
    count_pixels(true, d_in, d_count, n);
}

static int histogram_blocks(int n)
{
    const int tiles = parts_of(n, HISTOGRAM_TILE);
    return tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS;
}

void histogram_private(const unsigned *d_in, unsigned *d_count, int n)
{
    cudaMemsetAsync(d_count, 0, BINS * sizeof *d_count);
    if (n > 0)
        count_one_by_one<<<histogram_blocks(n), THREADS>>>(d_in, d_count, n);
}

void histogram_hot(const unsigned *d_in, unsigned *d_count, int n)
{
    cudaMemsetAsync(d_count, 0, BINS * sizeof *d_count);
    if (n > 0)
        count_by_warps<<<histogram_blocks(n), THREADS>>>(d_in, d_count, n);
}

__global__ void __launch_bounds__(THREADS)
    answer_queries(const unsigned *d_count, const int *d_low, const int *d_high, unsigned *d_found,
                   int n)
{
    find_ranges(d_count, d_low, d_high, d_found, blockIdx.x * QUERIES, n);
}

void histogram_ranges(const unsigned *d_count, const int *d_low, const int *d_high,
                      unsigned *d_found, int n)
{
    if (n > 0)
        answer_queries<<<parts_of(n, QUERIES), THREADS>>>(d_count, d_low, d_high, d_found, n);
}

/* ---- tables ---------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS)
    scan_all_rows(const unsigned *d_in, sum *d_table, picture p)
{
    const int y = blockIdx.x * WARPS + threadIdx.x / WARP;

    if (y < p.rows)
        scan_row(d_in, d_table, p, y);
}

__global__ void __launch_bounds__(THREADS) scan_all_columns(sum *d_table, picture p)
{
    const int x = blockIdx.x * THREADS + threadIdx.x;

    if (x < p.columns)
        scan_column(d_table, p, x);
}

void sat_two_passes(const unsigned *d_in, long long *d_table, int n)
{
    if (n <= 0)
        return;
    const picture p = picture_of(n);
    scan_all_rows<<<parts_of(p.rows, WARPS), THREADS>>>(d_in, d_table, p);
    scan_all_columns<<<parts_of(p.columns, THREADS), THREADS>>>(d_table, p);
}

__global__ void __launch_bounds__(THREADS)
    filter(const sum *d_table, unsigned *d_out, picture p, int n, int radius)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        d_out[i] = mean_around(d_table, p, i % p.columns, i / p.columns, radius);
}

void sat_box(const long long *d_table, unsigned *d_out, int n)
{
    if (n > 0)
        filter<<<parts_of(n, THREADS), THREADS>>>(d_table, d_out, picture_of(n), n, sat_radius(n));
}

__global__ void __launch_bounds__(THREADS)
    sum_all_tiles(const unsigned *d_in, sum *d_table, picture p, chains c)
{
    sum_tile(false, d_in, d_table, p, c);
}

void sat_one_launch(const unsigned *d_in, long long *d_table, int n)
{
    chains c;

    if (n <= 0)
        return;
    const picture p = picture_of(n);
    if (open_chains((size_t)p.across * p.rows, (size_t)p.down * p.columns, &c))
        sum_all_tiles<<<p.across * p.down, THREADS>>>(d_in, d_table, p, c);
}

#endif
