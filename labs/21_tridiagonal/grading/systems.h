/*
 * systems.h: which tridiagonal systems the cases of lab 21 and of its bonus have, and how they are
 * solved: in double, by Thomas's algorithm. For inclusion by a lab.c.
 *
 * A system's answer is drawn first, numbers of either sign from 1 to 8 and sometimes large ones,
 * in most systems all times a power of 2, and d is made of it: so no x is near 0 beside others of
 * its system, and an error relative to x is known well. span: rows of a system; the last one has
 * what is left.
 */
#ifndef SYSTEMS_H
#define SYSTEMS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab.h"
#include "rng.h"

/* rows of the longest system */
enum { LONGEST = 512 };

static inline size_t least(size_t x, size_t y) { return x < y ? x : y; }

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum kind {
    DOMINANT, /* of either sign, some of them cut in two by an a or a c of 0 */
    FORWARD,  /* a recurrence, x[i] from x[i-1]: with b = 1 and a = -1 a scan. Nothing dies away */
    BACKWARD,
    WEAK,     /* b = 2.02, a = c = -1: what is at one end is still felt far away */
    DIAGONAL, /* x = d / b */
    SCALED, /* rows times powers of 2, from 2^-56 to 2^56: a product of three such rows overflows */
    STEEP,  /* a and c are less than b / 2^12, and x grows as much from row to row: they count */
    KINDS
} kind;

typedef struct drawn {
    float a, b, c, x;
} drawn;

static inline float between(rng *r, int low, int high)
{
    return (float)rng_between(r, low * 4096, high * 4096) / 4096;
}

static inline float of_sign(rng *r, float size) { return rng_below(r, 2) ? size : -size; }

/* Of a steep system: x is 2^STEEP_BITS times that of the row before, eight rows long, and from the
   start again; in every second system after it. */
enum { STEEP_BITS = 10, STEEP_ROWS = 8 };

static inline drawn draw_steep(rng *r, size_t i, size_t span)
{
    const bool down = i / span / KINDS % 2;
    const int step = (int)(i % span % STEEP_ROWS), up = down ? STEEP_ROWS - 1 - step : step;
    drawn one = { .b = of_sign(r, between(r, 1, 2)),
                  .x = of_sign(r, ldexpf(between(r, 1, 2), STEEP_BITS * up)) };

    one.a = of_sign(r, ldexpf(between(r, 1, 2), -STEEP_BITS - 2));
    one.c = of_sign(r, ldexpf(between(r, 1, 2), -STEEP_BITS - 2));
    if (up == 0) /* the largest x, next to the smallest, would leave nothing of it */
        *(down ? &one.c : &one.a) = 0;
    return one;
}

/* All x of a system are multiplied by 2 to this, as small and large ones are as exact; those of the
   first are not, so that an answer that fails has right ones beside. Of SCALED, products of two
   rows would no longer fit a float. */
static inline int unit_of(uint64_t seed, size_t system, kind which)
{
    uint64_t mixed = ~seed + system * 0x9e3779b97f4a7c15u;
    rng r;

    rng_seed(&r, rng_splitmix64(&mixed));
    return which == SCALED || system == 0 ? 0 : (int)rng_between(&r, -20, 20);
}

/* Row i, and its x. span: rows of a system. */
static inline drawn draw(uint64_t seed, size_t n, size_t i, size_t span)
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
    case STEEP: one = draw_steep(&r, i, span); break;
    case DOMINANT:
    case SCALED:
    case KINDS:
        one.a = rng_below(&r, 12) ? a : 0;
        one.c = rng_below(&r, 12) ? c : 0;
        one.b = of_sign(&r, (fabsf(one.a) + fabsf(one.c) + 0.5f) * between(&r, 1, 2));
        break;
    }
    if (which == SCALED) {
        const int by = (int)rng_between(&r, -56, 56);
        one.a = ldexpf(one.a, by);
        one.b = ldexpf(one.b, by);
        one.c = ldexpf(one.c, by);
    }
    one.x = ldexpf(one.x, unit_of(seed, i / span, which));
    return one;
}

/* At a system's ends, where it belongs to no row: large, and here and there no number. Of a pair it
   is used, as the last one may lack its second row. */
static inline float stray(float drawn, size_t i, size_t span)
{
    return span > 2 && i / span % 2 == 0 ? NAN : (drawn + 3) * 1000;
}

/* Array 0 to 3 of a, b, c, d. */
static inline void fill_systems(float *to, unsigned array, size_t n, uint64_t seed, size_t span)
{
    drawn before = { 0 }, one = draw(seed, n, 0, span), after;

    for (size_t i = 0; i < n; i++, before = one, one = after) {
        const bool first = i % span == 0, last = i % span == span - 1 || i + 1 == n;
        const double left = first ? 0 : (double)one.a * (double)before.x;
        after = draw(seed, n, i + 1, span);
        const double right = last ? 0 : (double)one.c * (double)after.x;
        switch (array) {
        case 0: to[i] = first ? stray(one.a, i, span) : one.a; break;
        case 1: to[i] = one.b; break;
        case 2: to[i] = last ? stray(one.c, i, span) : one.c; break;
        default: to[i] = (float)(left + (double)one.b * (double)one.x + right);
        }
    }
}

/* ---- references ------------------------------------------------------------------------------ */

/* One line: rows `step` apart. Thomas: down, then up. */
typedef struct line {
    double a[LONGEST], b[LONGEST], c[LONGEST], d[LONGEST], x[LONGEST];
} line;

static inline void solve(line *l, size_t count)
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
static inline size_t take_system(line *l, const void *const *buffers, size_t n, size_t first,
                                 size_t span)
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

static inline void solve_systems(void *const *buffers, size_t n, size_t span)
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

/* Have small x alone become 0, all others being right, and some being there? */
static inline const char *small_x_diagnose(const lab_mismatch *m)
{
    const float *got = m->got, *expected = m->expected;
    bool others = false;

    for (size_t i = 0; i < m->length; i++) {
        const double should = (double)expected[i], off = fabs((double)got[i] - should);
        const bool is_lost = got[i] == 0 && fabs(should) < 1;
        if (!is_lost && !(off <= 1e-4 * fabs(should)))
            return NULL;
        others = others || !is_lost;
    }
    return others ? "each x that is wrong is below 1, and came out as 0: all x of a system may be "
                    "as small as 2^-20; compare them with nothing"
                  : NULL;
}

/* Another answer that is no nearer to 0: row i's x becomes larger by half of itself or more, and d
   says so. */
static inline void change_system(void *const *buffers, size_t n, size_t i, size_t span)
{
    const float *a = buffers[0], *b = buffers[1], *c = buffers[2];
    float *d = buffers[3];
    const size_t first = i - i % span;
    line l;

    const size_t count = take_system(&l, (const void *const *)buffers, n, first, span);
    solve(&l, count);
    const float unit = ldexpf(1, ilogb(l.x[i - first])), by = l.x[i - first] < 0 ? -unit : unit;
    d[i] += by * b[i];
    if (i > first)
        d[i - 1] += by * c[i - 1];
    if (i + 1 < first + count)
        d[i + 1] += by * a[i + 1];
}

#endif
