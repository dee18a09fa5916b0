/*
 * cases.h: the inputs of lab 16, and the sequential scans that its answers are compared with. For
 * inclusion by its lab.c.
 *
 * Which case a run is follows from n and the seed: all elements heads, none, one in a tile, around
 * the borders of warps and tiles, short and long segments, one giant among segments of 1. The
 * gates' sizes have a case each, so that none depends on luck.
 */
#ifndef CASES_H
#define CASES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lab.h"
#include "rng.h"
#include "segmented_scan.h"

enum { SECTION = SEGMENTED_SECTION, TILE = SEGMENTED_TILE, WARP = 32 };

static size_t segments(size_t n) { return (size_t)segmented_count((int)n); }
static size_t offsets(size_t n) { return segments(n) + 1; }

/* ---- cases ----------------------------------------------------------------------------------- */

typedef enum heads_case {
    HEADS_ALL,
    HEADS_NONE,
    HEADS_BORDERS, /* around warps, sections and tiles */
    HEADS_EIGHTH,  /* one in eight */
    HEADS_LONG,    /* one in 500 */
    HEADS_RARE,    /* one in five tiles */
    HEADS_GIANT,   /* many segments of 1 at both ends, one giant between them */
    HEADS_ONE,     /* one in each tile */
    HEADS_CASES
} heads_case;

typedef enum offsets_case {
    OFFSETS_EVEN,  /* as long as each other */
    OFFSETS_SHORT, /* 0 to 3 parts each */
    OFFSETS_POWER, /* power law */
    OFFSETS_GIANT, /* one takes what the others leave, which have 1, or half of all */
    OFFSETS_ROWS,  /* most are empty, in long rows */
    OFFSETS_CASES
} offsets_case;

/* n that are always the same case. COUNTED: with so few heads that additions can be asked for. */
enum {
    SECTIONS_COUNTED = 5 * SECTION + 77,
    SECTIONS_ALL = 2 * SECTION + 1,
    SECTIONS_NONE = 3 * SECTION,
    SECTIONS_BORDERS = 4 * SECTION + 50,
    TILES_COUNTED = 5 * TILE + 77,
    TILES_ALL = 3 * TILE,
    TILES_NONE = 5 * TILE,
    TILES_ONE = 6 * TILE,
    TILES_BORDERS = 2 * TILE + 50,
    TILES_GIANT = 3 * TILE + 1,
    TILES_INFINITE = 17 * TILE + 1,
    LARGE = 44 * TILE + 77,
    TILES_FAR = (LAB_FAR_BLOCKS + 1) * TILE + 77,
    EVEN_8 = 12300, /* n % 3 tells how many segments there are */
    GIANT_AND_EMPTY = 12301,
    EVEN_500 = 12302,
    GIANT_AND_ONES = 16383,
    SHORT = 16390,
    POWER = 12306,
    ROWS_OF_EMPTY = 20481
};

static heads_case heads_of(size_t n, rng *generator)
{
    switch (n) {
    case 100: return HEADS_EIGHTH; /* small, and sure to have some */
    case SECTIONS_COUNTED:
    case TILES_COUNTED:
    case TILES_INFINITE: return HEADS_LONG;
    case SECTIONS_ALL:
    case TILES_ALL: return HEADS_ALL;
    case SECTIONS_NONE:
    case TILES_NONE:
    case TILES_FAR: return HEADS_NONE;
    case SECTIONS_BORDERS:
    case TILES_BORDERS: return HEADS_BORDERS;
    case TILES_ONE: return HEADS_ONE;
    case TILES_GIANT: return HEADS_GIANT;
    case LARGE: return rng_below(generator, 2) ? HEADS_RARE : HEADS_NONE;
    default: return (heads_case)rng_below(generator, HEADS_CASES);
    }
}

static bool is_border(size_t i)
{
    const size_t p = i % SECTION, q = i % TILE;

    return (p >= 31 && p <= 33) || q == TILE - 1 || q == 0 || q == 1;
}

static void fill_heads(uint8_t *heads, size_t n, uint64_t seed)
{
    rng generator;
    size_t one = 0;

    rng_seed(&generator, seed);
    const heads_case kind = heads_of(n, &generator);
    for (size_t i = 0; i < n; i++) {
        if (i % TILE == 0)
            one = i + rng_below(&generator, TILE);
        const uint64_t draw = rng_next(&generator) >> 16;
        const bool head = kind == HEADS_ALL       ? true
                          : kind == HEADS_NONE    ? false
                          : kind == HEADS_BORDERS ? is_border(i)
                          : kind == HEADS_EIGHTH  ? draw % 8 == 0
                          : kind == HEADS_LONG    ? draw % 500 == 0
                          : kind == HEADS_RARE    ? draw % (5 * TILE) == 0
                          : kind == HEADS_GIANT   ? i < n / 8 || i > n - n / 8
                                                  : i == one;
        /* any value but 0 is a flag: also one that a signed char has as a negative number */
        heads[i] = head ? (uint8_t)(1 + (draw >> 32) % 255) : 0;
    }
}

/* Of one sign, so that no sum is NaN. */
static float infinite_of(size_t n) { return n % 8 == 7 ? -INFINITY : INFINITY; }

/* Of some n, TILES_INFINITE among them, single elements are infinite, many of them the last of a
   tile: so that they are what the next tile takes over, up to its first head. */
static void fill_values(float *value, unsigned buffer, size_t n, uint64_t seed)
{
    enum { APART = 331, READABLE = 64 };
    const bool infinite = n == TILES_INFINITE || (n > READABLE && (n % 8 == 2 || n % 8 == 7));

    lab_fill_exact(value, buffer, n, seed);
    for (size_t i = n / 5; i < n && infinite; i += APART)
        value[i] = infinite_of(n);
    for (size_t i = TILE - 1; i < n && infinite; i += 2 * TILE)
        value[i] = infinite_of(n);
}

static void fill_flagged(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    if (buffer == 1)
        fill_heads(data, n, seed);
    else
        fill_values(data, buffer, n, seed);
}

/* What is only handed on: halves, any bits at all, and those that arithmetic changes. */
static void fill_distribute(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    static const uint32_t special[] = { 0x80000000u, 0x7f800000u, 0xff800000u, 0xffc00001u };
    uint32_t *word = data;
    rng generator;

    fill_flagged(data, buffer, n, seed);
    if (buffer == 1)
        return;
    rng_seed(&generator, seed + 2);
    for (size_t i = 0; i < n; i++) {
        const uint64_t kind = rng_below(&generator, 8), some = rng_next(&generator);
        if (kind < 3)
            word[i] = kind == 0 ? special[some % 4] : (uint32_t)(some >> 16);
    }
}

/* Predicates, half of them true; then heads. */
static void fill_enumerate(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    if (buffer == 1) {
        fill_heads(data, n, seed);
        return;
    }
    rng_seed(&generator, seed + 1);
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)data)[i] =
            rng_below(&generator, 2) ? (uint8_t)rng_between(&generator, 1, 255) : 0;
}

static offsets_case offsets_of(size_t n, rng *generator)
{
    switch (n) {
    case EVEN_8:
    case EVEN_500: return OFFSETS_EVEN;
    case GIANT_AND_EMPTY:
    case GIANT_AND_ONES: return OFFSETS_GIANT;
    case SHORT: return OFFSETS_SHORT;
    case POWER: return OFFSETS_POWER;
    case ROWS_OF_EMPTY: return OFFSETS_ROWS;
    default: return (offsets_case)rng_below(generator, OFFSETS_CASES);
    }
}

/* How long segment s of `count` is, as a part of all. */
static double part_of(offsets_case kind, size_t s, size_t count, size_t giant, size_t n,
                      rng *generator)
{
    const double others = (double)(count - 1 < n / 2 ? count - 1 : n / 2),
                 u = ((double)rng_below(generator, 1 << 20) + 1) / (1 << 20);

    switch (kind) {
    case OFFSETS_SHORT: return (double)rng_below(generator, 4);
    case OFFSETS_POWER: return 1 / (u * u + 1e-6);
    case OFFSETS_GIANT:
        return s == giant ? (double)n - others : count > 1 ? others / (double)(count - 1) : 0;
    case OFFSETS_ROWS: return s == giant || rng_below(generator, 300) == 0 ? 1 : 0;
    default: return 1;
    }
}

/* The first segment is empty, the last one, and two in a row in the middle. */
static void fill_offset_array(int32_t *offset, size_t n, uint64_t seed)
{
    rng generator;
    double all = 0, so_far = 0;

    memset(offset, 0, offsets(n) * sizeof *offset);
    if (n == 0)
        return;
    rng_seed(&generator, seed);
    const offsets_case kind = offsets_of(n, &generator);
    const size_t count = segments(n) - 4, spread = rng_below(&generator, 3),
                 giant = spread == 0   ? 0
                         : spread == 1 ? count - 1
                                       : rng_below(&generator, count);
    const rng again = generator;
    for (size_t s = 0; s < count; s++)
        all += part_of(kind, s, count, giant, n, &generator);
    generator = again;
    size_t at = 1; /* offset[1] is 0: segment 0 is empty */
    for (size_t s = 0; s < count; s++) {
        if (s == count / 2) {
            offset[at + 1] = offset[at + 2] = offset[at];
            at += 2;
        }
        so_far += part_of(kind, s, count, giant, n, &generator);
        offset[at + 1] = all > 0 ? (int32_t)((double)n * (so_far / all)) : 0;
        at++;
    }
    offset[at] = offset[at + 1] = (int32_t)n;
}

static void fill_offsets(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    if (buffer == 1)
        fill_offset_array(data, n, seed);
    else
        fill_values(data, buffer, n, seed);
}

/* Exactly, in whatever unit the values have. Infinite ones have one sign. */
static void change_value(float *in, size_t i) { in[i] = isinf(in[i]) ? 1 : -in[i]; }

/* A value changes, or a flag; in half of the runs the last element of a segment becomes infinite,
   which no element after its head may notice. */
static void change_flagged(void *const *buffers, size_t n, size_t i, int by)
{
    float *in = buffers[0];
    uint8_t *heads = buffers[1];
    size_t next = i + 1;

    while (next < n && !heads[next])
        next++;
    if (by > 0 && next < n)
        in[next - 1] = infinite_of(n);
    else if (i % 2)
        heads[i] = !heads[i];
    else
        change_value(in, i);
}

/* Patterns of heads, few and many, the first lane among them or not. */
static void fill_start(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++) {
        const uint32_t some = (uint32_t)rng_next(&generator), few = some & rng_next(&generator);
        const uint64_t draw = rng_below(&generator, 5);
        ((uint32_t *)data)[i] = draw == 0   ? 0
                                : draw == 1 ? 0xffffffffu
                                : draw == 2 ? (uint32_t)1 << some % WARP
                                            : (few & (uint32_t)rng_next(&generator)) |
                                                  (uint32_t)1 << i % WARP * (some >> 31);
    }
}

/* The offsets of n segments of 0 to 9 elements, and places in the row of elements and ends. */
static void fill_split(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;
    int32_t at = 0;

    rng_seed(&generator, seed);
    for (size_t s = 0; s <= n && buffer == 0; s++) {
        ((int32_t *)data)[s] = at;
        at += rng_below(&generator, 2) ? 0 : (int32_t)rng_below(&generator, 10);
    }
    for (size_t k = 0; k < n && buffer == 1; k++)
        ((int64_t *)data)[k] = rng_between(&generator, 0, 4 * (int64_t)n);
}

static void fill_end(void *data, unsigned buffer, size_t n, size_t count)
{
    if (buffer == 1)
        lab_fill_last_offsets(data, n, count);
    for (size_t i = 0; buffer == 0 && i < count; i++)
        ((float *)data)[i] = (float)(count - i);
}

static size_t one_more(size_t n) { return n + 1; }

/* Offsets have an order to keep: in three of four runs all borders of segments move, else a value
   changes ... */
static void change_segments(void *const *buffers, size_t n, size_t i, int by)
{
    if (i % 4 == 0 || !lab_move_borders(buffers[1], offsets(n), by))
        change_value(buffers[0], i);
}

/* ... and where there are no values, segment i has an element more. */
static void change_length(void *const *buffers, size_t n, size_t i, int by)
{
    (void)by;
    for (size_t s = i + 1; s <= n; s++)
        ((int32_t *)buffers[0])[s]++;
}

/* ---- references ------------------------------------------------------------------------------ */

static bool is_head(const void *heads, size_t i, size_t each)
{
    return i % each == 0 || ((const uint8_t *)heads)[i] != 0;
}

static void section_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[2], sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (is_head(buffers[1], i, SECTION))
            sum = 0;
        out[i] = sum;
        sum += in[i];
    }
}

static void enumerate_reference(void *const *buffers, size_t n)
{
    const uint8_t *is_true = buffers[0];
    int32_t *out = buffers[2], count = 0;

    for (size_t i = 0; i < n; i++) {
        if (is_head(buffers[1], i, SECTION))
            count = 0;
        out[i] = count;
        count += is_true[i] != 0;
    }
}

static void distribute_reference(void *const *buffers, size_t n)
{
    const uint32_t *in = buffers[0]; /* bits */
    uint32_t *out = buffers[2];

    for (size_t i = 0; i < n; i++)
        out[i] = is_head(buffers[1], i, SECTION) ? in[i] : out[i - 1];
}

static void scan_each(void *const *buffers, size_t n, size_t each)
{
    const float *in = buffers[0];
    float *out = buffers[2];

    for (size_t i = 0; i < n; i++)
        out[i] = is_head(buffers[1], i, each) ? in[i] : out[i - 1] + in[i];
}

static void inclusive_reference(void *const *buffers, size_t n)
{
    scan_each(buffers, n, n > 0 ? n : 1);
}

static void rows_reference(void *const *buffers, size_t n)
{
    scan_each(buffers, n, (size_t)SEGMENTED_ROWS * WARP);
}

static void backward_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    const int32_t *offset = buffers[1];
    float *out = buffers[2];

    for (size_t s = 0; s < segments(n); s++) {
        float sum = 0;
        for (int32_t i = offset[s + 1]; i > offset[s]; i--)
            out[i - 1] = sum += in[i - 1];
    }
}

static void sums_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    const int32_t *offset = buffers[1];
    float *out = buffers[2];

    for (size_t s = 0; s < segments(n); s++) {
        out[s] = 0;
        for (int32_t i = offset[s]; i < offset[s + 1]; i++)
            out[s] += in[i];
    }
}

static void join_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    const uint8_t *heads = buffers[1];
    float *sum = buffers[2];
    int32_t *any = buffers[3];

    for (size_t k = 0; k < n; k++) {
        const size_t next = k + 1 < n ? k + 1 : 0;
        sum[k] = heads[next] ? in[next] : in[k] + in[next];
        any[k] = heads[k] || heads[next];
    }
}

static void up_sweep_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    const uint8_t *heads = buffers[1];
    float *sum = buffers[2];
    int32_t *any = buffers[3];

    /* the element at place p ends a run of as many elements as p + 1 has low zeros */
    for (size_t i = 0; i < n; i++) {
        const size_t place = i % SECTION + 1, length = place & (~place + 1);
        sum[i] = 0;
        any[i] = 0;
        for (size_t k = i + 1 - length; k <= i; k++) {
            sum[i] = heads[k] ? in[k] : sum[i] + in[k];
            any[i] |= heads[k] != 0;
        }
    }
}

static void start_reference(void *const *buffers, size_t n)
{
    const uint32_t *heads = buffers[0];
    int32_t *start = buffers[1];

    for (size_t i = 0; i < n; i++) {
        start[i] = (int32_t)(i % WARP);
        while (start[i] >= 0 && !(heads[i] >> start[i] & 1))
            start[i]--;
    }
}

static void split_reference(void *const *buffers, size_t n)
{
    const int32_t *offset = buffers[0];
    const int64_t *at = buffers[1];
    int32_t *ends = buffers[2];

    for (size_t k = 0; k < n; k++) {
        ends[k] = 0;
        for (size_t s = 0; s < n; s++)
            ends[k] += offset[s + 1] + (int64_t)s < at[k];
    }
}

#endif
