/*
 * launches.h: the entries of histogram_sat.h. For inclusion by histogram_sat.cu, at its end. The
 * kernels stand in that file, so that reports name its lines.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "chains.h"
#include "picture.h"

enum { MOST_BLOCKS = 1024 /* of a histogram: as many as a large GPU has places for */ };

static void histogram(const unsigned *d_in, unsigned *d_count, int n, bool together)
{
    cudaMemsetAsync(d_count, 0, BINS * sizeof *d_count);
    if (n <= 0)
        return;
    const int tiles = parts_of(n, HISTOGRAM_TILE),
              blocks = tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS;
    count_pixels<<<blocks, THREADS>>>(d_in, d_count, n, together);
}

void histogram_private(const unsigned *d_in, unsigned *d_count, int n)
{
    histogram(d_in, d_count, n, false);
}

void histogram_hot(const unsigned *d_in, unsigned *d_count, int n)
{
    histogram(d_in, d_count, n, true);
}

void histogram_ranges(const unsigned *d_count, const int *d_low, const int *d_high,
                      unsigned *d_found, int n)
{
    if (n > 0)
        answer_queries<<<parts_of(n, QUERIES), THREADS>>>(d_count, d_low, d_high, d_found, n);
}

void sat_two_passes(const unsigned *d_in, long long *d_table, int n)
{
    if (n <= 0)
        return;
    const picture p = picture_of(n);
    scan_rows<<<parts_of(p.rows, WARPS), THREADS>>>(d_in, d_table, p);
    scan_columns<<<parts_of(p.columns, THREADS), THREADS>>>(d_table, p);
}

void sat_box(const long long *d_table, unsigned *d_out, int n)
{
    if (n > 0)
        filter<<<parts_of(n, THREADS), THREADS>>>(d_table, d_out, picture_of(n), n, sat_radius(n));
}

void sat_one_launch(const unsigned *d_in, long long *d_table, int n)
{
    chains c;

    if (n <= 0)
        return;
    const picture p = picture_of(n);
    if (open_chains((size_t)p.across * p.rows, (size_t)p.down * p.columns, &c))
        sum_tiles<<<p.across * p.down, THREADS>>>(d_in, d_table, p, c, false);
}

#endif
