/*
 * matrices.h: which matrices the cases of lab 20 and of its bonus have, and what they are times x.
 * For inclusion by a lab.c.
 *
 * n says which kind of matrix.
 */
#ifndef MATRICES_H
#define MATRICES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "../sparse_matrix.h"
#include "rng.h"

/* The buffers of a part, by number. */
enum { D_VALUE, D_COLUMN, D_OFFSET, D_X, D_Y };

static inline size_t rows(size_t n) { return (size_t)spmv_rows((int)n); }
static inline size_t offsets(size_t n) { return rows(n) + 1; }

typedef enum row_kind {
    ROWS_EVEN,  /* as long as each other */
    ROWS_SHORT, /* 0 to 3 parts each */
    ROWS_POWER, /* power law */
    ROWS_FULL,  /* one takes what the others leave, which have 1, or half of all */
    ROWS_FEW,   /* most are empty, in long runs */
    ROWS_DIAGONAL,
    ROW_KINDS
} row_kind;

/* n that are always the same kind; as many nonzeros, to within some, and n % 3 tells how many rows
   there are. */
enum {
    EVEN_8 = 12300,
    FULL_8 = 12303,
    POWER_8 = 12306,
    FEW_8 = 12309,
    DIAGONAL = 12301,
    FULL_1 = 12304,
    SHORT_500 = 12302,
    MOST_HALVES = 1 << 18, /* nonzeros of which all sums of products are exact with halves in x */
    FULL_FAR = (LAB_FAR_BLOCKS + 1) * SPMV_TILE + 77
};

static row_kind rows_of(size_t n, rng *generator)
{
    switch (n) {
    case EVEN_8: return ROWS_EVEN;
    case FULL_8:
    case FULL_FAR:
    case FULL_1: return ROWS_FULL;
    case POWER_8: return ROWS_POWER;
    case FEW_8: return ROWS_FEW;
    case DIAGONAL: return ROWS_DIAGONAL;
    case SHORT_500: return ROWS_SHORT;
    default: return (row_kind)rng_below(generator, ROW_KINDS);
    }
}

/* How long row r of `count` is, as a part of all. */
static double part_of(row_kind kind, size_t r, size_t count, size_t full, size_t n, rng *generator)
{
    const double others = (double)(count - 1 < n / 2 ? count - 1 : n / 2),
                 u = ((double)rng_below(generator, 1 << 20) + 1) / (1 << 20);

    switch (kind) {
    case ROWS_SHORT: return (double)rng_below(generator, 4);
    case ROWS_POWER: return 1 / (u * u + 1e-6);
    case ROWS_FULL:
        return r == full ? (double)n - others : count > 1 ? others / (double)(count - 1) : 0;
    case ROWS_FEW: return r == full || rng_below(generator, 300) == 0 ? 1 : 0;
    default: return 1;
    }
}

/* The first row is empty, the last one, and two in a row in the middle. */
static void fill_offsets(int32_t *offset, size_t n, uint64_t seed)
{
    rng generator;
    double all = 0, so_far = 0;

    memset(offset, 0, offsets(n) * sizeof *offset);
    if (n == 0)
        return;
    rng_seed(&generator, seed);
    const row_kind kind = rows_of(n, &generator);
    const size_t count = rows(n) - 4, spread = rng_below(&generator, 3),
                 full = spread == 0   ? 0
                        : spread == 1 ? count - 1
                                      : rng_below(&generator, count);
    const rng again = generator;
    for (size_t r = 0; r < count; r++)
        all += part_of(kind, r, count, full, n, &generator);
    generator = again;
    size_t at = 1; /* offset[1] is 0: row 0 is empty */
    for (size_t r = 0; r < count; r++) {
        if (r == count / 2) {
            offset[at + 1] = offset[at + 2] = offset[at];
            at += 2;
        }
        so_far += part_of(kind, r, count, full, n, &generator);
        offset[at + 1] = all > 0 ? (int32_t)((double)n * (so_far / all)) : 0;
        at++;
    }
    offset[at] = offset[at + 1] = (int32_t)n;
}

/* Of some matrices one row in four has a single value, which takes all 24 bits of a float, large or
   small, or is infinite, among zeros: its sum is exact in any order, and is so only if other rows
   are not in it, and no fixed point. */
static inline void set_full_rows(float *value, size_t n, uint64_t seed)
{
    int32_t *offset = malloc(offsets(n) * sizeof *offset);
    rng generator;

    rng_seed(&generator, seed ^ n);
    if (offset && rng_below(&generator, 3) == 0) {
        fill_offsets(offset, n, seed); /* those of D_OFFSET */
        for (size_t r = 0; r < rows(n); r++) {
            const int32_t begin = offset[r], length = offset[r + 1] - begin;
            if (length == 0 || rng_below(&generator, 4) > 0)
                continue;
            const float bits = (float)(rng_between(&generator, 1 << 23, (1 << 24) - 1) | 1),
                        full = rng_below(&generator, 16) == 0
                                   ? INFINITY
                                   : ldexpf(bits, (int)rng_between(&generator, -60, 20));
            memset(value + begin, 0, (size_t)length * sizeof *value);
            value[begin + (int32_t)rng_below(&generator, (uint64_t)length)] =
                rng_below(&generator, 2) ? full : -full;
        }
    }
    free(offset);
}

static inline bool is_full(float value)
{
    return fabsf(value) > 1 << 20 || 2 * value != truncf(2 * value);
}

/* Products are multiples of 1/4, their sums exact in any order: x is 1/2, 1, 3/2 or 2, or 1 where
   there are many, of either sign. On a diagonal it has 17 bits, as no row is long there. */
static float an_x(size_t n, rng *generator)
{
    const float x = n == DIAGONAL     ? (float)(rng_between(generator, 1 << 16, 1 << 17) | 1) / 1024
                    : n > MOST_HALVES ? 1
                                      : (float)rng_between(generator, 1, 4) / 2;

    return rng_below(generator, 2) ? x : -x;
}

static void fill_matrix(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    if (buffer == D_VALUE && n > 0) {
        lab_fill_halves(data, 0, n, seed);
        set_full_rows(data, n, seed);
    }
    if (buffer == D_OFFSET)
        fill_offsets(data, n, seed);
    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; buffer == D_COLUMN && i < n; i++)
        ((int32_t *)data)[i] = n == DIAGONAL ? (int32_t)i : (int32_t)rng_below(&generator, rows(n));
    for (size_t i = 0; buffer == D_X && i < rows(n); i++)
        ((float *)data)[i] = an_x(n, &generator);
}

/* The last nonzeros are in the last columns. */
static inline void fill_end(void *data, unsigned buffer, size_t n, size_t count)
{
    if (buffer == D_OFFSET)
        lab_fill_last_offsets(data, n, count);
    for (size_t i = 0; i < count; i++)
        switch (buffer) {
        case D_VALUE: ((float *)data)[i] = 1; break;
        case D_COLUMN: ((int32_t *)data)[i] = (int32_t)(rows(n) - (count - i)); break;
        case D_X: ((float *)data)[i] = (float)(count - i); break;
        }
}

/* Columns have something to keep. In three of four runs all borders of rows move, else a value
   changes: who keeps a plan for a matrix of this size has that of another. */
static void change_matrix(void *const *buffers, size_t n, size_t i, int by)
{
    if (i % 4 == 0 || !lab_move_borders(buffers[D_OFFSET], offsets(n), by))
        ((float *)buffers[D_VALUE])[i] += (float)by;
}

/* But on a diagonal, and where rows have full values, sums are exact with the borders that they
   have: there the sign of one value changes. */
static void change_matrix_or_sign(void *const *buffers, size_t n, size_t i, int by)
{
    float *value = buffers[D_VALUE];
    bool any = n == DIAGONAL;

    for (size_t k = 0; k < n && !any; k++)
        any = is_full(value[k]);
    if (!any) {
        change_matrix(buffers, n, i, by);
        return;
    }
    for (size_t k = 0; k < n && value[i] == 0; k++)
        i = i + 1 < n ? i + 1 : 0;
    value[i] = -value[i];
}

/* Is the answer what x gives if it loses its fraction? */
static bool are_sums_of_whole_x(const lab_mismatch *m)
{
    const float *value = m->inputs[D_VALUE], *x = m->inputs[D_X], *got = m->got;
    const int32_t *column = m->inputs[D_COLUMN], *offset = m->inputs[D_OFFSET];
    bool some = false; /* wrong, and not just missing */

    for (size_t r = 0; r < m->length; r++) {
        float cut = 0, rounded = 0;
        for (int32_t i = offset[r]; i < offset[r + 1]; i++) {
            cut += value[i] * truncf(x[column[i]]);
            rounded += value[i] * rintf(x[column[i]]);
        }
        const float expected = ((const float *)m->expected)[r];
        if (isfinite(expected) && got[r] != cut && got[r] != rounded)
            return false;
        some = some || (got[r] != expected && got[r] != 0);
    }
    return some;
}

/* Is it nearly right, and hardly anywhere quite, where x has many bits? */
static bool are_sums_of_short_x(const lab_mismatch *m)
{
    const float *got = m->got, *expected = m->expected;

    for (size_t r = 0; r < m->length; r++)
        if (got[r] != expected[r] && !(fabsf(got[r] - expected[r]) < fabsf(expected[r]) / 16 + 1))
            return false;
    return m->n == DIAGONAL && m->wrong > m->length / 2;
}

static const char *x_diagnose(const lab_mismatch *m)
{
    if (are_sums_of_whole_x(m))
        return "the sums are those of an x without its fraction: x is a float, such as 1.5, and an "
               "int does not hold it";
    if (are_sums_of_short_x(m))
        return "nearly right, where an x takes 17 bits: x, a product or a sum has passed through a "
               "type with fewer, such as half; keep them in float";
    return NULL;
}

static void spmv_reference(void *const *b, size_t n)
{
    const float *value = b[D_VALUE], *x = b[D_X];
    const int32_t *column = b[D_COLUMN], *offset = b[D_OFFSET];
    float *y = b[D_Y];

    for (size_t r = 0; r < rows(n); r++) {
        y[r] = 0;
        for (int32_t i = offset[r]; i < offset[r + 1]; i++)
            y[r] += value[i] * x[column[i]];
    }
}

#endif
