/*
 * launches.h: the entries of histogram.h. For inclusion by histogram.cu, at its end. The kernels
 * stand in that file, so that reports name its lines.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "bins.h"

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

#endif
