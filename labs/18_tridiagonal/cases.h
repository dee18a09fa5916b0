/*
 * cases.h: which systems and which water the cases of lab 18 have, and the references, which solve
 * in double by Thomas's algorithm. For inclusion by lab.c.
 *
 * A system's answer is drawn first, numbers of either sign from 1 to 8, and d is made of it: so no
 * x is near 0, and an error relative to x is known well.
 */
#ifndef CASES_H
#define CASES_H

#include <math.h>

#include "lab.h"
#include "rng.h"
#include "tridiagonal.h"

enum { ROWS = TRIDIAGONAL_ROWS, WIDTH = WATER_WIDTH };

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

/* ---- systems --------------------------------------------------------------------------------- */

typedef enum kind {
    DOMINANT, /* of either sign, some of them cut in two by an a or a c of 0 */
    FORWARD,  /* a recurrence, x[i] from x[i-1]: with b = 1 and a = -1 a scan. Nothing dies away */
    BACKWARD,
    WEAK,     /* b = 2.02, a = c = -1: what is at one end is still felt far away */
    DIAGONAL, /* x = d / b */
    SCALED,   /* rows times powers of 2, from 2^-30 to 2^30: a product of such rows overflows */
    KINDS
} kind;

typedef struct drawn {
    float a, b, c, x;
} drawn;

static float between(rng *r, int low, int high)
{
    return (float)rng_between(r, low * 4096, high * 4096) / 4096;
}

static float of_sign(rng *r, float size) { return rng_below(r, 2) ? size : -size; }

/* Row i, and its x. span: rows of a system. */
static drawn draw(uint64_t seed, size_t n, size_t i, size_t span)
{
    const kind which = (kind)((i / span + n) % KINDS);
    uint64_t mixed = seed + i * 0x9e3779b97f4a7c15u;
    rng r;

    rng_seed(&r, rng_splitmix64(&mixed));
    drawn one = { .x = of_sign(&r, between(&r, 1, 8)) };
    const float a = of_sign(&r, between(&r, 1, 4)), c = of_sign(&r, between(&r, 1, 4));
    switch (which) {
    case FORWARD:
    case BACKWARD:
        one.x = of_sign(&r, (float)rng_between(&r, 1, 8));
        one.b = of_sign(&r, (float)(1 << rng_below(&r, 3)));
        *(which == FORWARD ? &one.a : &one.c) = of_sign(&r, one.b);
        break;
    case WEAK: one = (drawn){ -1, 2.02f, -1, one.x }; break;
    case DIAGONAL: one.b = of_sign(&r, between(&r, 1, 8)); break;
    case DOMINANT:
    case SCALED:
    case KINDS:
        one.a = rng_below(&r, 12) ? a : 0;
        one.c = rng_below(&r, 12) ? c : 0;
        one.b = of_sign(&r, (fabsf(one.a) + fabsf(one.c) + 0.5f) * between(&r, 1, 2));
        break;
    }
    if (which == SCALED) {
        const int by = (int)rng_between(&r, -30, 30);
        one.a = ldexpf(one.a, by);
        one.b = ldexpf(one.b, by);
        one.c = ldexpf(one.c, by);
    }
    return one;
}

/* At a system's ends, where it belongs to no row: large, and here and there no number. Of a pair it
   is used, as the last one may lack its second row. */
static float stray(float drawn, size_t i, size_t span)
{
    return span == ROWS && i / span % 2 == 0 ? NAN : (drawn + 3) * 1000;
}

/* Array 0 to 3 of a, b, c, d. */
static void fill_systems(float *to, unsigned array, size_t n, uint64_t seed, size_t span)
{
    for (size_t i = 0; i < n; i++) {
        const drawn one = draw(seed, n, i, span);
        const bool first = i % span == 0, last = i % span == span - 1 || i + 1 == n;
        const double left = first ? 0 : (double)one.a * (double)draw(seed, n, i - 1, span).x,
                     right = last ? 0 : (double)one.c * (double)draw(seed, n, i + 1, span).x;
        const float other = array == 0 ? one.a : one.c;

        to[i] = array == 1   ? one.b
                : array == 3 ? (float)(left + (double)one.b * (double)one.x + right)
                : (array == 0 && first) || (array == 2 && last) ? stray(other, i, span)
                                                                : other;
    }
}

static void fill_rows(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_systems(data, buffer, n, seed, ROWS);
}
static void fill_pairs(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_systems(data, buffer, n, seed, 2);
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

/* Ground below the water, but for dry cells: every 7th here and there, walls of several, all of
   some cases, none of others. */
static bool is_dry(size_t n, size_t i, rng *r)
{
    switch (n % 4) {
    case 0: return i % WIDTH / 5 % 3 == 1 && i / WIDTH % 4 != 0;
    case 1: return rng_below(r, 7) == 0;
    case 2: return n < WIDTH;
    default: return false;
    }
}

/* ground, before, now; or ground, now, half: heights of about 5, the speed far less than that. */
static void fill_water(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    float *to = data;
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        const float low = between(&r, 0, 3);
        to[i] = buffer > 0 ? 4 + between(&r, 0, 2) : is_dry(n, i, &r) ? 7 + low : low;
    }
}

/* ---- references ------------------------------------------------------------------------------ */

/* One line: rows `step` apart. Thomas: down, then up. */
typedef struct line {
    double a[ROWS], b[ROWS], c[ROWS], d[ROWS], x[ROWS];
} line;

static void solve(line *l, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const double by = l->a[i] / l->b[i - 1];
        l->b[i] -= by * l->c[i - 1];
        l->d[i] -= by * l->d[i - 1];
    }
    for (size_t i = count; i-- > 0;)
        l->x[i] = (l->d[i] - (i + 1 < count ? l->c[i] * l->x[i + 1] : 0)) / l->b[i];
}

/* The system that begins at row `first`; returns how many rows it has. */
static size_t take_system(line *l, const void *const *buffers, size_t n, size_t first, size_t span)
{
    const float *a = buffers[0], *b = buffers[1], *c = buffers[2], *d = buffers[3];
    const size_t count = least(n - first, span);

    for (size_t i = 0; i < count; i++) {
        l->a[i] = (double)a[first + i];
        l->b[i] = (double)b[first + i];
        l->c[i] = (double)c[first + i];
        l->d[i] = (double)d[first + i];
    }
    return count;
}

static void solve_systems(void *const *buffers, size_t n, size_t span)
{
    float *x = buffers[4];
    line l;

    for (size_t first = 0; first < n; first += span) {
        const size_t count = take_system(&l, (const void *const *)buffers, n, first, span);
        solve(&l, count);
        for (size_t i = 0; i < count; i++)
            x[first + i] = (float)l.x[i];
    }
}

static void rows_reference(void *const *buffers, size_t n) { solve_systems(buffers, n, ROWS); }
static void two_reference(void *const *buffers, size_t n) { solve_systems(buffers, n, 2); }

/* Another answer that is no nearer to 0: row i's x becomes larger by 1, and d says so. */
static void change_system(void *const *buffers, size_t n, size_t i, size_t span)
{
    const float *a = buffers[0], *b = buffers[1], *c = buffers[2];
    float *d = buffers[3];
    const size_t first = i - i % span;
    line l;

    const size_t count = take_system(&l, (const void *const *)buffers, n, first, span);
    solve(&l, count);
    const float by = l.x[i - first] < 0 ? -1 : 1;
    d[i] += by * b[i];
    if (i > first)
        d[i - 1] += by * c[i - 1];
    if (i + 1 < first + count)
        d[i + 1] += by * a[i + 1];
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
