/*
 * cases.h: which pictures the cases of lab 22 have, and the references. For inclusion by lab.c.
 *
 * n says which sides a picture has, histogram_sat.h, and which kind it is: kind_of.
 */
#ifndef CASES_H
#define CASES_H

#include <stdlib.h>
#include <string.h>

#include "histogram_sat.h"
#include "lab.h"
#include "rng.h"

/* values of sat_chains are below 2^54: 156 of them are below 2^62 */
enum { CHAIN_SHIFT = 64 - 54 };
enum { SIDE = SAT_SIDE, BINS = HISTOGRAM_BINS, WARP = 32, CHUNKS = 3 * WARP };

static size_t columns_of(size_t n) { return (size_t)sat_columns((int)n); }
static size_t rows_of(size_t n) { return (size_t)sat_rows((int)n); }

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum kind {
    UNIFORM,
    ALL_EQUAL,   /* one grey */
    WHITE,       /* sums beyond 32 bits from the second pixel on */
    ONE_HOT,     /* most pixels in one bin */
    GRADIENT,    /* neighbours in one bin, and the next, and so on */
    BLACK_AREAS, /* tiles whose sums are 0 */
    SKEWED,      /* the and of four random numbers */
    TWO_LEVELS,
    KINDS
} kind;

static kind kind_of(size_t n) { return (kind)((n / 1024 + n) % KINDS); }

/* n for which few bins of a warp's 32 neighbours differ. */
static bool is_hot(size_t n)
{
    const kind k = kind_of(n);
    return k == ALL_EQUAL || k == WHITE || k == ONE_HOT || k == TWO_LEVELS;
}

/* Of pictures of all greys the last two pixels are black and white: what fills up a tile in many a
   program. */
static void fill_picture(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { READABLE = 32 };
    const size_t columns = columns_of(n), rows = rows_of(n);
    rng r;

    rng_seed(&r, seed + buffer);
    const uint32_t one = (uint32_t)rng_next(&r), other = ~one;
    for (size_t i = 0; i < n; i++) {
        const size_t x = i % columns, y = i / columns;
        const uint32_t random = (uint32_t)rng_next(&r);
        uint64_t area = seed + x / SIDE + (y / SIDE << 20);
        uint32_t pixel = random;
        switch (kind_of(n)) {
        case UNIFORM:
        case KINDS:
            if (n > READABLE && n - i <= 2)
                pixel = n - i == 1 ? UINT32_MAX : 0;
            break;
        case ALL_EQUAL: pixel = one; break;
        case WHITE: pixel = UINT32_MAX; break;
        case ONE_HOT:
            if (rng_below(&r, 97) > 0)
                pixel = (one & 0xff000000u) | random >> 8;
            break;
        case GRADIENT: pixel = (uint32_t)((x + 2 * y) * (UINT32_MAX / (columns + 2 * rows))); break;
        case BLACK_AREAS:
            if (rng_splitmix64(&area) & 1)
                pixel = 0;
            break;
        case SKEWED:
            for (int k = 0; k < 3; k++)
                pixel &= (uint32_t)rng_next(&r);
            break;
        case TWO_LEVELS: pixel = random >> 31 ? one : other; break;
        }
        ((uint32_t *)data)[i] = pixel;
    }
}

/* The table of the part of a picture that lies in an area of `wide` columns and `high` rows, for
   each such area by itself. */
static void sum_areas(const uint32_t *picture, int64_t *table, size_t n, size_t wide, size_t high)
{
    const size_t columns = columns_of(n);

    for (size_t i = 0; i < n; i++) {
        const bool left = i % columns % wide > 0, above = i / columns % high > 0;
        table[i] = picture[i] + (left ? table[i - 1] : 0) + (above ? table[i - columns] : 0) -
                   (left && above ? table[i - columns - 1] : 0);
    }
}

static void fill_table(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    uint32_t *picture = malloc((n + 1) * sizeof *picture);

    if (picture) {
        fill_picture(picture, buffer, n, seed);
        sum_areas(picture, data, n, n + 1, n + 1);
    }
    free(picture);
}

/* Pixel i of the table's picture becomes another. */
static void change_table(void *const *buffers, size_t n, size_t i, int by)
{
    const size_t columns = columns_of(n), x = i % columns;
    int64_t *table = buffers[0];
    const int64_t pixel = table[i] - (x > 0 ? table[i - 1] : 0) -
                          (i >= columns ? table[i - columns] : 0) +
                          (x > 0 && i >= columns ? table[i - columns - 1] : 0);

    (void)by;
    for (size_t k = i; k < n; k++)
        if (k % columns >= x)
            table[k] += pixel > 0 ? -1 : 1;
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

static void fill_chains(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++)
        ((int64_t *)data)[i] = rng_below(&r, 4) == 0 ? 0 : (int64_t)(rng_next(&r) >> CHAIN_SHIFT);
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

static void table_reference(void *const *b, size_t n) { sum_areas(b[0], b[1], n, n + 1, n + 1); }
static void tiles_reference(void *const *b, size_t n) { sum_areas(b[0], b[1], n, SIDE, SIDE); }

static void chunks_reference(void *const *b, size_t n)
{
    int64_t *out = b[1];

    for (size_t i = 0; i < n; i++)
        out[i] = ((const uint32_t *)b[0])[i] + (i % CHUNKS > 0 ? out[i - 1] : 0);
}

static void chains_reference(void *const *b, size_t n)
{
    int64_t *before = b[1];

    for (size_t i = 0; i < n; i++)
        before[i] = i < WARP ? 0 : before[i - WARP] + ((const int64_t *)b[0])[i - WARP];
}

/* Of all windows: the picture's sides, and the radius. */
typedef struct windows {
    size_t columns, rows, radius;
} windows;

static windows windows_of(size_t n)
{
    return (windows){ columns_of(n), rows_of(n), (size_t)sat_radius((int)n) };
}

/* The window of pixel i, as far as it lies in the picture: [left, right) and [above, below). */
typedef struct window {
    size_t left, right, above, below;
} window;

static window window_of(windows all, size_t i)
{
    const size_t x = i % all.columns, y = i / all.columns, radius = all.radius;

    return (window){ .left = x > radius ? x - radius : 0,
                     .right = x + radius < all.columns ? x + radius + 1 : all.columns,
                     .above = y > radius ? y - radius : 0,
                     .below = y + radius < all.rows ? y + radius + 1 : all.rows };
}

static int64_t sum_of(const int64_t *table, windows all, window w)
{
    const int64_t *last = table + (w.below - 1) * all.columns,
                  *before = w.above > 0 ? table + (w.above - 1) * all.columns : NULL;

    return last[w.right - 1] - (w.left > 0 ? last[w.left - 1] : 0) -
           (before ? before[w.right - 1] : 0) + (before && w.left > 0 ? before[w.left - 1] : 0);
}

static int64_t pixels_of(window w) { return (int64_t)((w.right - w.left) * (w.below - w.above)); }

static void box_reference(void *const *b, size_t n)
{
    const windows all = windows_of(n);

    for (size_t i = 0; i < n; i++) {
        const window w = window_of(all, i);
        ((uint32_t *)b[1])[i] = (uint32_t)(sum_of(b[0], all, w) / pixels_of(w));
    }
}

#endif
