/*
 * cases.h: which keys the cases of lab 18 have, and the references. For inclusion by lab.c.
 *
 * n says which kind of keys a case has: kind_of. Keys are drawn as bits, unsigned numbers in the
 * order of the keys, and turned into the type; of float, none is a NaN or infinite.
 */
#ifndef CASES_H
#define CASES_H

#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "radix_sort.h"
#include "rng.h"

enum {
    TILE = RADIX_TILE,
    DIGITS = RADIX_DIGITS,
    WARP = 32,
    WARP_KEYS = TILE / (RADIX_THREADS / WARP)
};

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* ---- keys, as bits; 4-byte types in the lower half ------------------------------------------- */

static int width(lab_type type) { return type == LAB_I64 ? 64 : 32; }

static uint64_t element(lab_type type, const void *data, size_t i)
{
    return type == LAB_I64 ? ((const uint64_t *)data)[i] : ((const uint32_t *)data)[i];
}

static void set_element(lab_type type, void *data, size_t i, uint64_t bits)
{
    if (type == LAB_I64)
        ((uint64_t *)data)[i] = bits;
    else
        ((uint32_t *)data)[i] = (uint32_t)bits;
}

/* The key as an unsigned number in its order. */
static uint64_t in_order(lab_type type, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << (width(type) - 1);

    if (type == LAB_U32)
        return key;
    if (type == LAB_F32 && (key & sign))
        return (uint32_t)~key;
    return key ^ sign;
}

static uint64_t from_order(lab_type type, uint64_t bits)
{
    if (type == LAB_F32 && !(bits >> 31))
        return (uint32_t)~bits;
    return type == LAB_F32 ? bits ^ 0x80000000u : in_order(type, bits);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum kind {
    UNIFORM,
    LOW_ENTROPY, /* the and of four random numbers */
    SORTED,
    TWO_VALUES,
    REVERSED,
    ALL_EQUAL,
    ONE_OUTLIER,
    MANY_EQUAL /* 16 values, far apart */
} kind;

/* Sizes around one and several tiles get different kinds, as they get different ranges of bits. */
static kind kind_of(size_t n) { return (kind)((n / TILE + n) % 8); }

/* Of all 2^64 random numbers, to the bits of a key: by the upper ones, which the order is. */
static uint64_t to_key(lab_type type, uint64_t random)
{
    /* finite ones, in their order */
    const uint64_t lowest = 0x00800000u, count = 0xff000000u;

    if (type == LAB_F32)
        return from_order(type, lowest + ((random >> 32) * count >> 32));
    return from_order(type, type == LAB_I64 ? random : random >> 32);
}

/* The last keys are as large as keys can be, as padding may be, or have the lowest digit of such
   ones; the first are as small as can be. Of kinds that leave room for them. */
static void set_ends(lab_type type, kind which, void *data, size_t n)
{
    enum { MOST = 8, ONE_OF = 16 };
    const size_t keys = n / ONE_OF < MOST ? n / ONE_OF : MOST;
    /* of float the infinite ones: no key is a NaN */
    const uint64_t lowest = type == LAB_F32 ? 0x007fffffu : 0,
                   highest = type == LAB_F32   ? 0xff800000u
                             : type == LAB_I64 ? ~(uint64_t)0
                                               : 0xffffffffu;

    if (which != UNIFORM && which != LOW_ENTROPY && which != SORTED)
        return;
    for (size_t i = n - keys; i < n; i++) {
        const uint64_t bits = in_order(type, element(type, data, i)) | 0xff;
        set_element(type, data, i, from_order(type, i % 2 || bits > highest ? highest : bits));
        set_element(type, data, n - 1 - i, from_order(type, lowest));
    }
}

static void fill_keys(lab_type type, void *data, size_t n, uint64_t seed)
{
    const kind which = kind_of(n);
    rng r;

    rng_seed(&r, seed);
    const uint64_t one = rng_next(&r), other = rng_next(&r), at = rng_below(&r, n + 1);
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = rng_next(&r), step = ~(uint64_t)0 / n;
        uint64_t drawn = random;
        switch (which) {
        case UNIFORM: break;
        case LOW_ENTROPY:
            for (int k = 0; k < 3; k++)
                drawn &= rng_next(&r);
            break;
        case SORTED: drawn = i * step; break;
        case TWO_VALUES: drawn = random >> 63 ? one : other; break;
        case REVERSED: drawn = (n - i) * step; break;
        case ONE_OUTLIER: drawn = i == at ? other : one; break;
        case ALL_EQUAL: drawn = one; break;
        case MANY_EQUAL: drawn = (random >> 60) * (one | 1); break;
        }
        uint64_t key = to_key(type, drawn);
        if (type == LAB_F32 && which == UNIFORM && random % 16 == 0)
            key = random >> 63 << 31; /* 0.0 and -0.0 */
        if (type == LAB_F32 && which == UNIFORM && random % 16 == 1)
            key = random >> 63 << 31 | 0x7f800000u; /* infinite */
        set_element(type, data, i, key);
    }
    set_ends(type, which, data, n);
}

/* No two are alike: they tell where they came from. */
static void fill_values(void *data, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed);
    const uint32_t from = (uint32_t)rng_next(&r);
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)data)[i] = from + (uint32_t)i * 2654435761u;
}

#define FILL(suffix, type)                                                                         \
    static void fill_##suffix(void *data, unsigned buffer, size_t n, uint64_t seed)                \
    {                                                                                              \
        if (buffer == 0)                                                                           \
            fill_keys(type, data, n, seed);                                                        \
        else                                                                                       \
            fill_values(data, n, seed + 1);                                                        \
    }

FILL(u32, LAB_U32)
FILL(i32, LAB_I32)
FILL(f32, LAB_F32)
FILL(i64, LAB_I64)

/* Of one tile all kinds; bits that are 0, 1, or another bit. */
static void fill_bit(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        const size_t warp = i / WARP_KEYS;
        ((int32_t *)data)[i] = warp % 4 == 1   ? 0
                               : warp % 4 == 2 ? 1
                                               : (int32_t)(rng_next(&r) & 1) << (i % 3);
    }
}

/* Digits of few values in some rows, of all in others; and rows of one. */
static void fill_digit(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;
    int most = 256, from = 0;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        if (i % WARP == 0) {
            static const int all[] = { 256, 2, 1, 16 };
            most = all[rng_below(&r, 4)];
            from = (int)rng_below(&r, 256);
        }
        ((int32_t *)data)[i] = (from + (int)rng_below(&r, (uint64_t)most) * 37) % DIGITS;
    }
}

/* Numbers of either sign, and the ends of both types. */
static void fill_order(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    static const uint32_t ends[2][4] = { { 0, 0x80000000u, 0x7fffffffu, 0xffffffffu },
                                         { 0, 0x80000000u, 0x7f7fffffu, 0xff7fffffu } };
    rng r;

    fill_keys(buffer == 0 ? LAB_I32 : LAB_F32, data, n, seed + buffer);
    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++)
        if (n < 4 || rng_below(&r, 4) > 0)
            ((uint32_t *)data)[i] =
                i < 4 ? ends[buffer][(i + seed) % 4]
                      : (uint32_t)to_key(buffer == 0 ? LAB_I32 : LAB_F32, rng_next(&r));
}

/* ---- references ------------------------------------------------------------------------------ */

/* Stable, by the bits [first, end), each `span` keys by themselves: once for each value of each
   byte. values, or null, go with their keys. */
static void sort_stable(lab_type type, const void *keys, const uint32_t *values, void *keys_out,
                        uint32_t *values_out, size_t n, size_t span, int first, int end)
{
    uint32_t *at = malloc((n + 1) * sizeof *at), *next = malloc((n + 1) * sizeof *next);

    for (size_t i = 0; at && next && i < n; i++)
        at[i] = (uint32_t)i;
    for (int bit = first; at && next && bit < end; bit += 8) {
        const uint64_t mask = end - bit < 8 ? ((uint64_t)1 << (end - bit)) - 1 : 255;
        for (size_t from = 0; from < n; from += span) {
            const size_t to = n - from < span ? n : from + span;
            size_t place[257] = { from };
            for (size_t i = from; i < to; i++)
                place[(in_order(type, element(type, keys, at[i])) >> bit & mask) + 1]++;
            for (int x = 1; x < 257; x++)
                place[x] += place[x - 1];
            for (size_t i = from; i < to; i++)
                next[place[in_order(type, element(type, keys, at[i])) >> bit & mask]++] = at[i];
        }
        uint32_t *old = at;
        at = next;
        next = old;
    }
    for (size_t i = 0; at && next && i < n; i++) {
        set_element(type, keys_out, i, element(type, keys, at[i]));
        if (values)
            values_out[i] = values[at[i]];
    }
    free(at);
    free(next);
}

#define SORTS_KEYS(name, type, span, first, end)                                                   \
    static void name(void *const *b, size_t n)                                                     \
    {                                                                                              \
        sort_stable(type, b[0], NULL, b[1], NULL, n, span, first, end);                            \
    }
#define SORTS_PAIRS(name, type, first, end)                                                        \
    static void name(void *const *b, size_t n)                                                     \
    {                                                                                              \
        sort_stable(type, b[0], b[1], b[2], b[3], n, n + 1, first, end);                           \
    }

static int digit_end(size_t n)
{
    const int end = radix_first_bit((int)n) + RADIX_BITS;

    return end < 32 ? end : 32;
}

SORTS_KEYS(split_reference, LAB_U32, TILE, radix_bit((int)n), radix_bit((int)n) + 1)
SORTS_KEYS(block_u32_reference, LAB_U32, TILE, radix_first_bit((int)n), radix_end_bit((int)n))
SORTS_KEYS(block_f32_reference, LAB_F32, TILE, 0, 32)
SORTS_KEYS(digit_reference, LAB_U32, TILE, radix_first_bit((int)n), digit_end(n))
SORTS_KEYS(u32_reference, LAB_U32, n + 1, radix_first_bit((int)n), radix_end_bit((int)n))
SORTS_PAIRS(i32_reference, LAB_I32, 0, 32)
SORTS_PAIRS(f32_reference, LAB_F32, 0, 32)
SORTS_PAIRS(i64_reference, LAB_I64, 0, 64)

static void zeros_reference(void *const *b, size_t n)
{
    const int32_t *bit = b[0];
    int32_t *rank = b[1];

    for (size_t i = 0; i < n; i++)
        rank[i] = i % WARP_KEYS == 0 ? 0 : rank[i - 1] + (bit[i - 1] == 0);
}

static void order_reference(void *const *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ((uint32_t *)b[2])[i] = (uint32_t)in_order(LAB_I32, element(LAB_I32, b[0], i));
        ((uint32_t *)b[3])[i] = (uint32_t)in_order(LAB_F32, element(LAB_F32, b[1], i));
    }
}

static void same_reference(void *const *b, size_t n)
{
    const int32_t *digit = b[0];
    uint32_t *same = b[1];

    for (size_t i = 0; i < n; i++) {
        const size_t first = i / WARP * WARP;
        same[i] = 0;
        for (size_t j = first; j < first + WARP && j < n; j++)
            same[i] |= (uint32_t)(digit[j] == digit[i]) << (j - first);
    }
}

static void ranks_reference(void *const *b, size_t n)
{
    const int32_t *digit = b[0];
    int32_t count[DIGITS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (i % WARP_KEYS == 0)
            memset(count, 0, sizeof count);
        ((int32_t *)b[1])[i] = count[digit[i]]++;
    }
}

static void counts_reference(void *const *b, size_t n)
{
    uint32_t *count = b[1];

    memset(count, 0, 4 * DIGITS * sizeof *count);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            count[k * DIGITS + (((const uint32_t *)b[0])[i] >> 8 * k & 255)]++;
}

#endif
