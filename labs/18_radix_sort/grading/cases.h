/*
 * cases.h: which digits and values the cases of lab 18 have, and the references. For inclusion by
 * lab.c. Keys are those of lab 17.
 */
#ifndef RADIX_CASES_H
#define RADIX_CASES_H

#include <stdint.h>
#include <string.h>

#include "../../17_block_sort/grading/cases.h"
#include "radix_sort.h"
#include "rng.h"

enum { DIGITS = RADIX_DIGITS };

/* of keys with values; of keys alone, and of steps: D_IN and D_OUT */
enum { KEYS_IN, VALUES_IN, KEYS_OUT, VALUES_OUT };

static int digit_end(size_t n)
{
    const int end = radix_first_bit((int)n) + RADIX_BITS;

    return end < 32 ? end : 32;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* No two are alike: they tell where they came from. */
static void fill_values(void *data, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed);
    const uint32_t from = (uint32_t)rng_next(&r);
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)data)[i] = from + (uint32_t)i * 2654435761u;
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

static void fill_u32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(LAB_U32, data, n, seed + buffer);
}

/* ---- references ------------------------------------------------------------------------------ */

static void digit_reference(void *const *b, size_t n)
{
    sort_keys(LAB_U32, b, n, TILE, radix_first_bit((int)n), digit_end(n));
}
static void u32_reference(void *const *b, size_t n)
{
    sort_keys(LAB_U32, b, n, n + 1, radix_first_bit((int)n), radix_end_bit((int)n));
}

static void same_reference(void *const *b, size_t n)
{
    const int32_t *digit = b[D_IN];
    uint32_t *same = b[D_OUT];

    for (size_t i = 0; i < n; i++) {
        const size_t first = i / WARP * WARP;
        same[i] = 0;
        for (size_t j = first; j < first + WARP && j < n; j++)
            same[i] |= (uint32_t)(digit[j] == digit[i]) << (j - first);
    }
}

static void ranks_reference(void *const *b, size_t n)
{
    const int32_t *digit = b[D_IN];
    int32_t count[DIGITS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (i % WARP_KEYS == 0)
            memset(count, 0, sizeof count);
        ((int32_t *)b[D_OUT])[i] = count[digit[i]]++;
    }
}

static void counts_reference(void *const *b, size_t n)
{
    uint32_t *count = b[D_OUT];

    memset(count, 0, 4 * DIGITS * sizeof *count);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            count[k * DIGITS + (((const uint32_t *)b[D_IN])[i] >> 8 * k & 255)]++;
}

/* Keys with values, by all bits. */
#define PAIRS(name, key_type)                                                                      \
    static void fill_##name(void *data, unsigned buffer, size_t n, uint64_t seed)                  \
    {                                                                                              \
        if (buffer == KEYS_IN)                                                                     \
            fill_keys(key_type, data, n, seed);                                                    \
        else                                                                                       \
            fill_values(data, n, seed + 1);                                                        \
    }                                                                                              \
    static void name##_reference(void *const *b, size_t n)                                         \
    {                                                                                              \
        sort_stable(key_type, b[KEYS_IN], b[VALUES_IN], b[KEYS_OUT], b[VALUES_OUT], n, n + 1, 0,   \
                    width(key_type));                                                              \
    }

PAIRS(i32, LAB_I32)
PAIRS(f32, LAB_F32)
PAIRS(i64, LAB_I64)

/* Zeros, then the least floats above 0, whose digits but the lowest are those of 0. */
static void f32_end(void *data, unsigned buffer, size_t n, size_t count)
{
    (void)buffer;
    (void)n;
    for (size_t i = 0; i < count; i++)
        ((uint32_t *)data)[i] = i >= count - count / 4;
}

#endif
