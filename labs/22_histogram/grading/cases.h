/*
 * cases.h: the data of lab 22, and the references. For inclusion by lab.c.
 */
#ifndef CASES_H
#define CASES_H

#include <string.h>

#include "histogram.h"
#include "lab.h"
#include "pictures.h"

enum { BINS = HISTOGRAM_BINS };

/* ---- inputs ---------------------------------------------------------------------------------- */

/* n for which few bins of a warp's 32 neighbours differ. */
static bool is_hot(size_t n)
{
    const kind k = kind_of(n);
    return k == ALL_EQUAL || k == WHITE || k == ONE_HOT || k == TWO_LEVELS;
}

/* The last pixels are in the last bins, which nobody else counts in: zeros stand before them. */
static void last_pixels(void *data, unsigned buffer, size_t n, size_t count)
{
    (void)buffer;
    (void)n;
    for (size_t i = 0; i < count; i++)
        ((uint32_t *)data)[count - 1 - i] = ~((uint32_t)(i % 32) << 24);
}

/* Counts, with empty bins and more than a float holds, in one of two cases nearly 2^32 together,
   most of them in one bin; and queries: one bin, from the first bin,
   up to the last one, any. */
static void fill_queries(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed);
    for (size_t b = 0; b < BINS && buffer == 0; b++)
        ((uint32_t *)data)[b] =
            rng_below(&r, 4) == 0 ? 0 : (uint32_t)rng_below(&r, (uint64_t)1 << 23);
    if (buffer == 0 && rng_below(&r, 2)) {
        uint32_t *count = data, all = 0;
        for (size_t b = 0; b < BINS; b++)
            all += count[b];
        /* a few pixels more may come: change_count */
        count[rng_below(&r, BINS)] += UINT32_MAX - all - 1000 - (uint32_t)rng_below(&r, 1000);
    }
    for (size_t i = 0; i < n && buffer > 0; i++) {
        const int32_t a = (int32_t)rng_below(&r, BINS), b = (int32_t)rng_below(&r, BINS);
        const uint64_t which = rng_below(&r, 5);
        const int32_t low = which == 0 ? 0
                            : a < b    ? a
                                       : b,
                      high = which == 1   ? BINS - 1
                             : which == 2 ? low
                             : a < b      ? b
                                          : a;
        ((int32_t *)data)[i] = buffer == 1 ? low : high;
    }
}

/* Queries belong together: a count changes. */
static void change_count(void *const *buffers, size_t n, size_t i, int by)
{
    (void)n;
    (void)by;
    ((uint32_t *)buffers[0])[i]++;
}

/* ---- references ------------------------------------------------------------------------------ */

static void histogram_reference(void *const *b, size_t n)
{
    uint32_t *count = b[1];

    memset(count, 0, BINS * sizeof *count);
    for (size_t i = 0; i < n; i++)
        count[((const uint32_t *)b[0])[i] >> 24]++;
}

/* How many pixels are in the bins [from, to). */
static uint32_t pixels_in(const uint32_t *count, int from, int to)
{
    uint32_t sum = 0;

    for (int b = from; b < to; b++)
        sum += count[b];
    return sum;
}

static void ranges_reference(void *const *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)b[3])[i] =
            pixels_in(b[0], ((const int32_t *)b[1])[i], ((const int32_t *)b[2])[i] + 1);
}

#endif
