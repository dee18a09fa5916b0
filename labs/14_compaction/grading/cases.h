/*
 * cases.h: which data the cases of lab 14 have, and the references. For inclusion by lab.c.
 *
 * What a case keeps is fixed by n, so that limits stay functions of n: share_of(n) and runs_of(n)
 * say which kind of data a case of n has, kept(n) and runs(n) how much of it is kept. Which
 * elements those are is random, where the kind leaves room for that.
 */
#ifndef CASES_H
#define CASES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compaction.h"
#include "lab.h"
#include "rng.h"

enum { TILE = COMPACTION_TILE, WARP_ELEMENTS = TILE / (COMPACTION_THREADS / 32) };

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

/* ---- elements, as bits; 4-byte types in the lower half --------------------------------------- */

static size_t size_of(lab_type type) { return type == LAB_I64 ? 8 : 4; }

static uint64_t element(lab_type type, const void *data, size_t i)
{
    uint64_t bits = 0;

    memcpy(&bits, (const char *)data + i * size_of(type), size_of(type));
    return bits;
}

static void set_element(lab_type type, void *data, size_t i, uint64_t bits)
{
    memcpy((char *)data + i * size_of(type), &bits, size_of(type));
}

static float as_float(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float x;

    memcpy(&x, &word, sizeof x);
    return x;
}

static uint64_t float_bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof word);
    return word;
}

static bool is_kept(lab_type type, uint64_t bits)
{
    if (type == LAB_F32)
        return as_float(bits) >= 0;
    return type == LAB_I32 ? (int32_t)bits >= 0 : (int64_t)bits >= 0;
}

static bool same_key(lab_type type, uint64_t a, uint64_t b)
{
    return type == LAB_F32 ? as_float(a) == as_float(b) : a == b;
}

static uint64_t add(lab_type type, uint64_t a, uint64_t b)
{
    if (type == LAB_F32)
        return float_bits(as_float(a) + as_float(b));
    return type == LAB_I32 ? (uint32_t)(a + b) : a + b;
}

/* ---- which data a case of n has -------------------------------------------------------------- */

/* Sizes around one and several tiles get different kinds. */
static unsigned kind_of(size_t n) { return (unsigned)((n / TILE + n) % 8); }

typedef enum share { HALF, ONE, ALL, NONE, ALTERNATING, EIGHTH, FIRST_TILE, LAST_TILE } share;

static share share_of(size_t n) { return (share)kind_of(n); }

/* How many elements of a case are 0 or more. */
static size_t kept(size_t n)
{
    switch (share_of(n)) {
    case HALF: return n / 2;
    case ONE: return at_most(n, 1);
    case ALL: return n;
    case NONE: return 0;
    case ALTERNATING: return n / 2;
    case EIGHTH: return n / 8;
    case FIRST_TILE: return at_most(n, TILE);
    case LAST_TILE: return n > 0 ? (n - 1) % TILE + 1 : 0;
    }
    return 0;
}

typedef enum run_kind {
    LONG_RUNS, /* 500 elements on average; of many elements, one of 17 tiles: more than 2^16 */
    ONE_RUN,
    ALL_DIFFERENT,
    TILE_LESS_1, /* runs of that length */
    WHOLE_TILES,
    TILE_MORE_1,
    ONE_OF_3_TILES, /* and short ones around it */
    SHORT_RUNS      /* 6 elements on average */
} run_kind;

static run_kind runs_of(size_t n) { return (run_kind)kind_of(n); }

static size_t ceiling(size_t n, size_t by) { return (n + by - 1) / by; }

/* Where the run of many tiles begins, and how many elements it has. */
static size_t giant_begins(size_t n) { return at_most(n / 9, TILE / 2); }
static size_t giant_has(size_t n)
{
    if (runs_of(n) == LONG_RUNS)
        return n > 40 * TILE ? 17 * TILE : 0;
    return at_most(n - giant_begins(n), 3 * TILE);
}

/* How many runs a case has. */
static size_t runs(size_t n)
{
    if (n == 0)
        return 0;
    switch (runs_of(n)) {
    case LONG_RUNS: return ceiling(n - giant_has(n), 500) + (giant_has(n) > 0);
    case ONE_RUN: return 1;
    case ALL_DIFFERENT: return n;
    case TILE_LESS_1: return ceiling(n, TILE - 1);
    case WHOLE_TILES: return ceiling(n, TILE);
    case TILE_MORE_1: return ceiling(n, TILE + 1);
    case ONE_OF_3_TILES:
        return 1 + ceiling(giant_begins(n), 6) + ceiling(n - giant_begins(n) - giant_has(n), 6);
    case SHORT_RUNS: return ceiling(n, 6);
    }
    return 0;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Draws `wanted` of the `left` elements that are still to come: is this one of them? */
static bool draw(rng *generator, size_t *wanted, size_t left)
{
    const bool drawn = rng_below(generator, left) < *wanted;

    *wanted -= drawn;
    return drawn;
}

/* Elements next to the border between kept and not, and the largest ones: what stands for "none"
   or fills up a tile in many a program. */
static uint64_t end_element(lab_type type, bool keep, uint64_t random)
{
    static const uint64_t ints[2][4] = { { 0xffffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu },
                                         { 0, 1, 0x7fffffffu, 0x7ffffffeu } },
                          longs[2][4] = { { ~(uint64_t)0, (uint64_t)1 << 63, ~(uint64_t)0 << 32,
                                            0x80000000ffffffffu },
                                          { 0, INT64_MAX, (uint64_t)1 << 32, 0xffffffffu } },
                          floats[2][4] = { { 0x80000001u, 0xff7fffffu, 0x80800000u, 0xffffffffu },
                                           { 0, 1, 0x7f7fffffu, 0x00800000u } };
    const unsigned which = random % 4;

    return type == LAB_F32   ? floats[keep][which]
           : type == LAB_I32 ? ints[keep][which]
                             : longs[keep][which];
}

/* An element that is kept, or one that is not; few are equal. plain: a number, neither infinite nor
   -0.0, nor an end. */
static uint64_t made_element(lab_type type, bool keep, bool plain, rng *generator)
{
    const uint64_t random = rng_next(generator);
    const int64_t small = (int64_t)(random % (1 << 23));

    if (!plain && small % 16 == 2)
        return end_element(type, keep, random >> 32);
    /* in halves; -0.0 and infinity are kept, and NaNs of either sign are not */
    if (type == LAB_F32)
        switch (plain ? 2 : small % 16) {
        case 0: return keep ? float_bits(-0.0f) : (random >> 32 & 0x80000001u) | 0x7fc00000u;
        case 1: return float_bits(keep ? INFINITY : -INFINITY);
        default: return float_bits(keep ? (float)small / 2 : -(float)(small + 1) / 2);
        }
    if (type == LAB_I32)
        return keep ? (uint32_t)random >> 1 : (uint32_t)random | 0x80000000u;
    /* the sign of the lower half says nothing */
    return keep ? random >> 1 : random | (uint64_t)1 << 63;
}

static void fill_elements(lab_type type, void *data, size_t n, uint64_t seed)
{
    const share which = share_of(n);
    size_t wanted = kept(n);
    rng generator;

    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++) {
        bool keep = false;
        switch (which) {
        case HALF:
        case ONE:
        case EIGHTH: keep = draw(&generator, &wanted, n - i); break;
        case ALL: keep = true; break;
        case NONE: break;
        case ALTERNATING: keep = i % 2 == 1; break;
        case FIRST_TILE: keep = i < TILE; break;
        case LAST_TILE: keep = i / TILE == (n - 1) / TILE; break;
        }
        /* of one or two, an output that lacks one says little about why */
        set_element(type, data, i, made_element(type, keep, n <= 2, &generator));
    }
}

/* A key that differs from the one before it: of any_bit in half of the cases in one bit; of 8 bytes
   at times only in the upper half, at times only in the lower one. 0 is one of them, and infinity;
   a NaN is not. */
static uint64_t other_key(lab_type type, uint64_t before, bool any_bit, rng *generator)
{
    for (;;) {
        const int64_t small = rng_between(generator, -2, 3);
        const unsigned bit = (unsigned)rng_below(generator, 8 * 2 * size_of(type));
        const uint64_t key =
            any_bit && bit < 8 * size_of(type) ? before ^ (uint64_t)1 << bit
            : type == LAB_F32 ? float_bits(small == 3 ? INFINITY : (float)small / 2)
            : type == LAB_I32 ? (uint32_t)small
                              : (uint64_t)(small & 1) << 40 | (uint64_t)(small & 6);
        if (!same_key(type, key, before) && same_key(type, key, key))
            return key;
    }
}

/* Does a run begin at i > 0? *wanted: how many still do of `left` elements of random runs. */
static bool begins(run_kind which, size_t n, size_t i, rng *generator, size_t *wanted)
{
    const size_t giant = giant_begins(n), behind = giant + giant_has(n);

    switch (which) {
    case LONG_RUNS:
        if (i >= giant && i < behind)
            return i == giant;
        return draw(generator, wanted, n - i - (i < giant ? behind - giant : 0));
    case SHORT_RUNS: return draw(generator, wanted, n - i);
    case ONE_RUN: return false;
    case ALL_DIFFERENT: return true;
    case TILE_LESS_1: return i % (TILE - 1) == 0;
    case WHOLE_TILES: return i % TILE == 0;
    case TILE_MORE_1: return i % (TILE + 1) == 0;
    case ONE_OF_3_TILES:
        return i < giant ? i % 6 == 0 : i == giant || (i >= behind && (i - behind) % 6 == 0);
    }
    return false;
}

static void fill_keys(lab_type type, void *data, size_t n, uint64_t seed)
{
    enum { READABLE = 3 };
    const run_kind which = runs_of(n);
    const bool one_is_giant = which == LONG_RUNS && giant_has(n) > 0;
    size_t wanted = runs(n) - 1 - one_is_giant; /* besides the one that begins at 0 */
    uint64_t key = type == LAB_F32 ? float_bits(-7.0f) : 7;
    rng generator;

    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 && n > READABLE && n % 2 == 1) /* what stands for "none" in many a program */
            key = type == LAB_F32 || n % 4 == 1 ? 0 : type == LAB_I32 ? 0xffffffffu : ~(uint64_t)0;
        else if (i == 0 || begins(which, n, i, &generator, &wanted))
            key = other_key(type, key, n > READABLE, &generator);
        /* 0.0 and -0.0 are one key */
        const bool minus = type == LAB_F32 && as_float(key) == 0 && rng_below(&generator, 2) == 0;
        set_element(type, data, i, minus ? float_bits(-0.0f) : key);
    }
}

/* ---- nearly the same data, with a NaN -------------------------------------------------------- */

static float not_a_number(void) { return as_float(0xffc00000u); }

/* Element i is another one, kept as it was, or not; of the others, the next one behind it is now a
   NaN, which is not kept. */
static void change_element(void *const *buffers, size_t n, size_t i, int by)
{
    float *in = buffers[0];

    if (isfinite(in[i]))
        in[i] = in[i] >= 0 ? in[i] + (float)(1 + by) / 2 + 1 : in[i] - (float)(2 + by) / 2;
    else
        in[i] = in[i] >= 0 ? 1 : -1;
    for (size_t k = 1; k <= n; k++)
        if (!(in[(i + k) % n] >= 0)) {
            in[(i + k) % n] = not_a_number();
            break;
        }
}

/* Keys i and i + 1 are NaNs now, a run each. */
static void change_key(void *const *buffers, size_t n, size_t i, int by)
{
    float *key = buffers[0];

    (void)by;
    key[i] = not_a_number();
    if (i + 1 < n)
        key[i + 1] = not_a_number();
}

/* Sums of integers wrap around again and again. */
static void fill_values(lab_type type, void *data, size_t n, uint64_t seed)
{
    rng generator;

    if (type == LAB_F32) {
        lab_fill_infinite(data, 0, n, seed);
        return;
    }
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++)
        set_element(type, data, i, rng_next(&generator) | 1);
}

#define FILLS(suffix, type)                                                                        \
    static void elements_##suffix(void *data, unsigned buffer, size_t n, uint64_t seed)            \
    {                                                                                              \
        (void)buffer;                                                                              \
        fill_elements(type, data, n, seed);                                                        \
    }                                                                                              \
    static void keys_##suffix(void *data, unsigned buffer, size_t n, uint64_t seed)                \
    {                                                                                              \
        (void)buffer;                                                                              \
        fill_keys(type, data, n, seed);                                                            \
    }
#define FILL_PAIRS(suffix, key, value)                                                             \
    static void pairs_##suffix(void *data, unsigned buffer, size_t n, uint64_t seed)               \
    {                                                                                              \
        if (buffer == 0)                                                                           \
            fill_keys(key, data, n, seed);                                                         \
        else                                                                                       \
            fill_values(value, data, n, seed + 1);                                                 \
    }

FILLS(i32, LAB_I32)
FILLS(f32, LAB_F32)
FILLS(i64, LAB_I64)
FILL_PAIRS(f32, LAB_I32, LAB_F32)
FILL_PAIRS(i32, LAB_F32, LAB_I32)
FILL_PAIRS(i64, LAB_I64, LAB_I64)

/* ---- references ------------------------------------------------------------------------------ */

/* rest: null, where what is not kept goes nowhere. */
static void split(lab_type type, const void *in, void *out, void *rest, int64_t *count, size_t n)
{
    size_t others = 0;

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = element(type, in, i);
        if (is_kept(type, bits))
            set_element(type, out, (size_t)(*count)++, bits);
        else if (rest)
            set_element(type, rest, others++, bits);
    }
}

/* values: null, where a run's length is told of it, an int. */
static void encode(lab_type key, lab_type told, const void *keys, const void *values, void *unique,
                   void *tell, int64_t *count, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t value = values ? element(told, values, i) : 1;
        if (i == 0 || !same_key(key, element(key, keys, i - 1), element(key, keys, i))) {
            set_element(key, unique, k, element(key, keys, i));
            set_element(told, tell, k++, value);
        } else {
            set_element(told, tell, k - 1, add(told, element(told, tell, k - 1), value));
        }
    }
    *count = (int64_t)k;
}

#define REFERENCES(suffix, type)                                                                   \
    static void select_##suffix(void *const *b, size_t n)                                          \
    {                                                                                              \
        split(type, b[0], b[1], NULL, b[2], n);                                                    \
    }                                                                                              \
    static void partition_##suffix(void *const *b, size_t n)                                       \
    {                                                                                              \
        split(type, b[0], b[1], b[2], b[3], n);                                                    \
    }                                                                                              \
    static void runs_##suffix(void *const *b, size_t n)                                            \
    {                                                                                              \
        encode(type, LAB_I32, b[0], NULL, b[1], b[2], b[3], n);                                    \
    }
#define BY_KEY_REFERENCE(suffix, key, value)                                                       \
    static void by_key_##suffix(void *const *b, size_t n)                                          \
    {                                                                                              \
        encode(key, value, b[0], b[1], b[2], b[3], b[4], n);                                       \
    }

REFERENCES(i32, LAB_I32)
REFERENCES(f32, LAB_F32)
REFERENCES(i64, LAB_I64)
BY_KEY_REFERENCE(f32, LAB_I32, LAB_F32)
BY_KEY_REFERENCE(i32, LAB_F32, LAB_I32)
BY_KEY_REFERENCE(i64, LAB_I64, LAB_I64)

/* ---- steps ----------------------------------------------------------------------------------- */

static size_t warps(size_t n) { return ceiling(n, WARP_ELEMENTS); }

/* Flags: of one case in two most are 0. Then values. */
static void fill_flags(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    const size_t one_in = rng_below(&generator, 2) == 0 ? 2 : 50;
    for (size_t i = 0; i < n; i++)
        ((int32_t *)data)[i] =
            buffer > 0 ? (int32_t)rng_next(&generator) | 1 : rng_below(&generator, one_in) == 0;
}

static void ranks_reference(void *const *buffers, size_t n)
{
    const int32_t *flag = buffers[0];
    int32_t *rank = buffers[1], before = 0;

    for (size_t i = 0; i < n; i++) {
        before = i % WARP_ELEMENTS == 0 ? 0 : before;
        rank[i] = before;
        before += flag[i];
    }
}

/* Indices of every size: the first the largest, the second the first beyond 2^31. */
static void fill_far(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        ((int64_t *)data)[k] = rng_between(&generator, 0, (int64_t)1 << rng_below(&generator, 42));
    if (n > 0)
        ((int64_t *)data)[0] = (int64_t)1 << 41;
    if (n > 1)
        ((int64_t *)data)[1] = (int64_t)1 << 31;
}

static void far_reference(void *const *buffers, size_t n)
{
    for (size_t k = 0; k < n; k++)
        ((int32_t *)buffers[1])[k] = (int32_t)k;
}

static void heads_reference(void *const *buffers, size_t n)
{
    const float *key = buffers[0];

    for (size_t i = 0; i < n; i++)
        ((int32_t *)buffers[1])[i] = i == 0 || key[i] != key[i - 1];
}

/* values: null, where elements are counted. */
static void open_reference(const int32_t *head, const uint32_t *value, uint32_t *open,
                           uint32_t *last, size_t n)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum = i % WARP_ELEMENTS == 0 ? 0 : sum;
        open[i] = sum;
        sum = (head[i] ? 0 : sum) + (value ? value[i] : 1);
        last[i / WARP_ELEMENTS] = sum;
    }
}

static void lengths_reference(void *const *b, size_t n)
{
    open_reference(b[0], NULL, b[1], b[2], n);
}
static void sums_reference(void *const *b, size_t n) { open_reference(b[0], b[1], b[2], b[3], n); }

/* Pairs of which half have no head, and others more than 2^31. */
static void fill_pairs(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        if (buffer == 0)
            ((int64_t *)data)[k] =
                rng_below(&generator, 2) == 0
                    ? 0
                    : rng_between(&generator, 1, (int64_t)1 << rng_below(&generator, 41));
        else
            ((int32_t *)data)[k] = (int32_t)rng_next(&generator) | 1;
}

static void join_reference(void *const *buffers, size_t n)
{
    const int64_t *heads = buffers[0];
    const uint32_t *sum = buffers[1];
    int64_t *joined_heads = buffers[2];
    uint32_t *joined_sum = buffers[3];

    for (size_t k = 0; k < n; k++) {
        const bool last = k + 1 == n;
        joined_heads[k] = last ? 0 : heads[k] + heads[k + 1];
        joined_sum[k] = last ? 0 : heads[k + 1] > 0 ? sum[k + 1] : sum[k] + sum[k + 1];
    }
}

#endif
