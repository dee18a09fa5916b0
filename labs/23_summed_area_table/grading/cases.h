/*
 * cases.h: the data of lab 23, whose pictures are those of lab 22, and the references. For
 * inclusion by lab.c.
 */
#ifndef CASES_H
#define CASES_H

#include <stdlib.h>

#include "../../22_histogram/grading/pictures.h"
#include "lab.h"

/* values of sat_chains are below 2^54: 156 of them are below 2^62 */
enum { CHAIN_SHIFT = 64 - 54, WARP = 32, CHUNKS = 3 * WARP };

/* ---- inputs ---------------------------------------------------------------------------------- */

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

static void fill_chains(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++)
        ((int64_t *)data)[i] = rng_below(&r, 4) == 0 ? 0 : (int64_t)(rng_next(&r) >> CHAIN_SHIFT);
}

/* ---- references ------------------------------------------------------------------------------ */

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
