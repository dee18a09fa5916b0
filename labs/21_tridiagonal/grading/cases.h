/*
 * cases.h: which water the cases of lab 21 have, the systems of its steps, and the references. For
 * inclusion by lab.c.
 */
#ifndef CASES_H
#define CASES_H

#include "lab.h"
#include "systems.h"
#include "tridiagonal.h"

enum { ROWS = TRIDIAGONAL_ROWS, WIDTH = WATER_WIDTH };

/* ---- systems --------------------------------------------------------------------------------- */

static void fill_rows(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_systems(data, buffer, n, seed, ROWS);
}
static void fill_pairs(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_systems(data, buffer, n, seed, 2);
}

static void change_rows(void *const *buffers, size_t n, size_t i, int by)
{
    (void)by;
    change_system(buffers, n, i, ROWS);
}
static void change_pairs(void *const *buffers, size_t n, size_t i, int by)
{
    (void)by;
    change_system(buffers, n, i, 2);
}

/* Small whole numbers, and b a power of two: rows combine exactly. */
static void fill_exact(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++)
        ((float *)data)[i] = of_sign(&r, buffer == 1 ? (float)(1 << rng_below(&r, 3))
                                                     : (float)rng_between(&r, 1, 8));
}

/* ---- water ----------------------------------------------------------------------------------- */

/* Ground below the water, but for dry cells: walls along columns, every 7th cell here and there,
   walls along rows, none. */
static bool is_dry(size_t n, size_t i, rng *r)
{
    switch (n % 4) {
    case 0: return i % WIDTH / 5 % 3 == 1 && i / WIDTH % 4 != 0;
    case 1: return rng_below(r, 7) == 0;
    case 2: return i / WIDTH % 3 == 1;
    default: return false;
    }
}

/* Of one in 8 cells that may be wet: little water stands there, 5e-7 to 6e-5, exact in float; the
   height is the same in all arrays. */
static bool is_shallow(uint64_t seed, size_t i, float *height, float *deep)
{
    uint64_t mixed = seed + i * 0x9e3779b97f4a7c15u;
    rng r;

    rng_seed(&r, rng_splitmix64(&mixed));
    *height = 4 + between(&r, 0, 2);
    *deep = ldexpf(1, (int)rng_below(&r, 8) - 21);
    return rng_below(&r, 8) == 0;
}

/* Some cells are special in all data of an n, so that one that takes another's number stays so:
   surfaces at 0, where still less water can stand, no two of them neighbours; and very deep cells,
   no two of them either. */
typedef enum place_kind { PLACE_USUAL, PLACE_AT_0, PLACE_DEEPEST } place_kind;

static place_kind place_of(size_t n, size_t i)
{
    uint64_t mixed = n * 0x2545f4914f6cdd1du + i * 0x9e3779b97f4a7c15u;
    const uint64_t drawn = rng_splitmix64(&mixed);

    if ((i % WIDTH + i / WIDTH) % 2 == 0 && drawn % 8 == 0)
        return PLACE_AT_0;
    return (i % WIDTH + i / WIDTH) % 2 == 0 && drawn % 64 == 1 ? PLACE_DEEPEST : PLACE_USUAL;
}

/* The last quarter of the columns, and every 8th row: there the cells of a line are felt from one
   end to the other. */
static bool is_deep(size_t i) { return i % WIDTH >= WIDTH - WIDTH / 4 || i / WIDTH % 8 == 4; }

/* From which level heights count, and in which unit, is for who draws them: about 5, -5 or 80. Of
   an n one of these, as all that flows together is to be of one sign: a sum near 0 is not exact. */
static float at_level(size_t n, float drawn)
{
    return n / 4 % 3 == 0 ? drawn : n / 4 % 3 == 1 ? drawn - 10 : 16 * drawn;
}

/* ground, before, now; or ground, now, half: heights of about 5, the speed far less than that. */
static void fill_water(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    float *to = data;
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        const float low = between(&r, 0, 3), usual = 4 + between(&r, 0, 2);
        const place_kind place = place_of(n, i);
        const bool dry = buffer == 0 && is_dry(n, i, &r);
        float height, deep;

        to[i] = at_level(n, buffer > 0 ? usual : dry ? 7 + low : low);
        if (dry)
            continue;
        if (is_shallow(seed, i, &height, &deep))
            to[i] = at_level(n, buffer > 0 ? height : height - deep);
        else if (buffer == 0 && is_deep(i))
            to[i] -= 1024;
        if (place == PLACE_AT_0)
            to[i] = buffer > 0 ? 0 : -deep / (1 << 10);
        else if (place == PLACE_DEEPEST && buffer == 0)
            to[i] = at_level(n, low) - 3000;
    }
}

/* ---- references ------------------------------------------------------------------------------ */

static void rows_reference(void *const *buffers, size_t n) { solve_systems(buffers, n, ROWS); }
static void two_reference(void *const *buffers, size_t n) { solve_systems(buffers, n, 2); }

static void put_row(float *rows, size_t i, double a, double b, double c, double d)
{
    rows[4 * i] = (float)a;
    rows[4 * i + 1] = (float)b;
    rows[4 * i + 2] = (float)c;
    rows[4 * i + 3] = (float)d;
}

static size_t padded(size_t n) { return (n + ROWS - 1) / ROWS * ROWS; }
static size_t four_padded(size_t n) { return 4 * padded(n); }
static size_t four_each(size_t n) { return 4 * n; }

static void loaded_reference(void *const *buffers, size_t n)
{
    const float *a = buffers[0], *b = buffers[1], *c = buffers[2], *d = buffers[3];

    for (size_t i = 0; i < padded(n); i++)
        if (i >= n)
            put_row(buffers[4], i, 0, 1, 0, 0);
        else
            put_row(buffers[4], i, i % ROWS == 0 ? 0 : (double)a[i], (double)b[i],
                    i % ROWS == ROWS - 1 || i + 1 == n ? 0 : (double)c[i], (double)d[i]);
}

static void combined_reference(void *const *buffers, size_t n)
{
    const float *a = buffers[0], *b = buffers[1], *c = buffers[2], *d = buffers[3];

    for (size_t i = 0; i < n; i++) {
        double below = 0, own = (double)b[i], above = 0, right = (double)d[i];
        if (i > 0) {
            const double by = (double)a[i] / (double)b[i - 1];
            below = -by * (double)a[i - 1];
            own -= by * (double)c[i - 1];
            right -= by * (double)d[i - 1];
        }
        if (i + 1 < n) {
            const double by = (double)c[i] / (double)b[i + 1];
            above = -by * (double)c[i + 1];
            own -= by * (double)a[i + 1];
            right -= by * (double)d[i + 1];
        }
        put_row(buffers[4], i, below, own, above, right);
    }
}

static double depth(float height, float ground)
{
    return height > ground ? (double)height - (double)ground : 0;
}

static double face(double one, double other)
{
    return one > 0 && other > 0 ? (double)WATER_FLOW * (one + other) : 0;
}

/* `count` cells, `step` apart. right: their right sides, which may stand where the heights go. */
static void make_line(line *l, const float *ground, const float *now, const float *right,
                      size_t count, size_t step)
{
    for (size_t k = 0; k < count; k++) {
        const size_t i = k * step;
        const double own = depth(now[i], ground[i]);
        const double left = k > 0 ? face(depth(now[i - step], ground[i - step]), own) : 0;
        const double next = k + 1 < count ? face(own, depth(now[i + step], ground[i + step])) : 0;
        l->a[k] = -left;
        l->b[k] = 1 + left + next;
        l->c[k] = -next;
        l->d[k] = right ? (double)right[i] : 0;
    }
}

/* r = 2 now - before, rounded nowhere. */
static void rows_of_water(const float *ground, const float *before, const float *now, float *half,
                          size_t n)
{
    line l;

    for (size_t first = 0; first < n; first += WIDTH) {
        const size_t count = least(n - first, WIDTH);
        make_line(&l, ground + first, now + first, NULL, count, 1);
        for (size_t k = 0; k < count; k++)
            l.d[k] = 2 * (double)now[first + k] - (double)before[first + k];
        solve(&l, count);
        for (size_t k = 0; k < count; k++)
            half[first + k] = (float)l.x[k];
    }
}

static void columns_of_water(const float *ground, const float *now, const float *half, float *next,
                             size_t n)
{
    line l;

    for (size_t x = 0; x < least(n, WIDTH); x++) {
        const size_t count = (n - x - 1) / WIDTH + 1;
        make_line(&l, ground + x, now + x, half + x, count, WIDTH);
        solve(&l, count);
        for (size_t k = 0; k < count; k++)
            next[x + k * WIDTH] = (float)l.x[k];
    }
}

static void water_rows_reference(void *const *buffers, size_t n)
{
    rows_of_water(buffers[0], buffers[1], buffers[2], buffers[3], n);
}
static void water_columns_reference(void *const *buffers, size_t n)
{
    columns_of_water(buffers[0], buffers[1], buffers[2], buffers[3], n);
}
static void water_step_reference(void *const *buffers, size_t n)
{
    rows_of_water(buffers[0], buffers[1], buffers[2], buffers[3], n);
    columns_of_water(buffers[0], buffers[2], buffers[3], buffers[3], n);
}

static void equations_reference(void *const *buffers, size_t n)
{
    line l;

    /* a line of any length, a few cells at a time */
    for (size_t first = 0; first < n; first += ROWS - 2) {
        const size_t from = first > 0 ? first - 1 : 0, to = least(n, first + ROWS - 1);
        make_line(&l, (const float *)buffers[0] + from, (const float *)buffers[1] + from,
                  (const float *)buffers[2] + from, to - from, 1);
        for (size_t i = first; i < least(n, first + ROWS - 2); i++)
            put_row(buffers[3], i, l.a[i - from], l.b[i - from], l.c[i - from], l.d[i - from]);
    }
}

#endif
