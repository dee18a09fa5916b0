/*
 * cases.h: which data the cases of lab 15 have, and the references. For inclusion by lab.c.
 *
 * How many runs a case has is fixed by n, so that limits stay functions of n: runs_of(n) says which
 * kind of data a case of n has, runs(n) how many runs. Where they begin is random, where the kind
 * leaves room for that.
 */
#ifndef CASES_H
#define CASES_H

#include <math.h>

#include "../../14_compaction/grading/tiles.h"

/* Buffers: of run_length_encode, and of reduce_by_key. */
enum { KEYS, UNIQUE, LENGTHS, RUNS };
enum { VALUES = 1, KEYS_OF_SUMS, SUMS, RUNS_OF_SUMS };

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
    const size_t giant = giant_begins(n), after = giant + giant_has(n);

    switch (which) {
    case LONG_RUNS:
        if (i >= giant && i < after)
            return i == giant;
        return draw(generator, wanted, n - i - (i < giant ? after - giant : 0));
    case SHORT_RUNS: return draw(generator, wanted, n - i);
    case ONE_RUN: return false;
    case ALL_DIFFERENT: return true;
    case TILE_LESS_1: return i % (TILE - 1) == 0;
    case WHOLE_TILES: return i % TILE == 0;
    case TILE_MORE_1: return i % (TILE + 1) == 0;
    case ONE_OF_3_TILES:
        return i < giant ? i % 6 == 0 : i == giant || (i >= after && (i - after) % 6 == 0);
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

/* Keys i and i + 1 are NaNs now, a run each, though their bits are the same: any but the first,
   below 0, as those above are what an output holds before it is written. */
static void change_key(void *const *buffers, size_t n, size_t i, int by)
{
    uint64_t mixed = n * 4 + i * 0x9e3779b97f4a7c15u + (uint64_t)by;
    const float nan = as_float(0xffc00000u | rng_splitmix64(&mixed) >> 43);
    float *key = buffers[0];

    key[i] = nan;
    if (i + 1 < n)
        key[i + 1] = nan;
}

/* Sums of integers wrap around again and again; one value in 16 is 0. */
static void fill_values(lab_type type, void *data, size_t n, uint64_t seed)
{
    rng generator;

    if (type == LAB_F32) {
        lab_fill_infinite(data, 0, n, seed);
        return;
    }
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++)
        set_element(type, data, i, rng_below(&generator, 16) > 0 ? rng_next(&generator) : 0);
}

static void keys_i32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(LAB_I32, data, n, seed + buffer);
}

static void keys_f32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(LAB_F32, data, n, seed + buffer);
}

static void keys_i64(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(LAB_I64, data, n, seed + buffer);
}

/* Keys of one type, and values of the other. */
static void fill_both(lab_type key, lab_type value, void *data, unsigned buffer, size_t n,
                      uint64_t seed)
{
    if (buffer == KEYS)
        fill_keys(key, data, n, seed);
    else
        fill_values(value, data, n, seed + 1);
}

static void pairs_f32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_both(LAB_I32, LAB_F32, data, buffer, n, seed);
}

static void pairs_i32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_both(LAB_F32, LAB_I32, data, buffer, n, seed);
}

static void pairs_i64(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_both(LAB_I64, LAB_I64, data, buffer, n, seed);
}

/* ---- references ------------------------------------------------------------------------------ */

/* values: null, where its length is asked for, an int. */
static void encode(lab_type key, lab_type total, const void *keys, const void *values, void *unique,
                   void *totals, int64_t *count, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t value = values ? element(total, values, i) : 1;
        if (i == 0 || !same_key(key, element(key, keys, i - 1), element(key, keys, i))) {
            set_element(key, unique, k, element(key, keys, i));
            set_element(total, totals, k++, value);
        } else {
            set_element(total, totals, k - 1, add(total, element(total, totals, k - 1), value));
        }
    }
    *count = (int64_t)k;
}

static void runs_i32(void *const *b, size_t n)
{
    encode(LAB_I32, LAB_I32, b[KEYS], NULL, b[UNIQUE], b[LENGTHS], b[RUNS], n);
}
static void runs_f32(void *const *b, size_t n)
{
    encode(LAB_F32, LAB_I32, b[KEYS], NULL, b[UNIQUE], b[LENGTHS], b[RUNS], n);
}
static void runs_i64(void *const *b, size_t n)
{
    encode(LAB_I64, LAB_I32, b[KEYS], NULL, b[UNIQUE], b[LENGTHS], b[RUNS], n);
}

static void by_key_f32(void *const *b, size_t n)
{
    encode(LAB_I32, LAB_F32, b[KEYS], b[VALUES], b[KEYS_OF_SUMS], b[SUMS], b[RUNS_OF_SUMS], n);
}
static void by_key_i32(void *const *b, size_t n)
{
    encode(LAB_F32, LAB_I32, b[KEYS], b[VALUES], b[KEYS_OF_SUMS], b[SUMS], b[RUNS_OF_SUMS], n);
}
static void by_key_i64(void *const *b, size_t n)
{
    encode(LAB_I64, LAB_I64, b[KEYS], b[VALUES], b[KEYS_OF_SUMS], b[SUMS], b[RUNS_OF_SUMS], n);
}

/* element 0 is the last head of those far away */
static void far_runs(void *const *b, size_t n)
{
    runs_i32(b, n);
    if (n > 0)
        *(int64_t *)b[RUNS] += (int64_t)COMPACTION_FAR_TILE * TILE - 1;
}

static void far_by_key(void *const *b, size_t n)
{
    by_key_f32(b, n);
    if (n > 0)
        *(int64_t *)b[RUNS_OF_SUMS] += (int64_t)COMPACTION_FAR_TILE * TILE - 1;
}

/* ---- steps ----------------------------------------------------------------------------------- */

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
            ((int32_t *)data)[k] = (int32_t)rng_next(&generator);
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
