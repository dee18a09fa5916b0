/*
 * cases.h: which keys the cases of labs 17 and 18 have, and how they are sorted. For inclusion by
 * their lab.c.
 *
 * n says which kind of keys a case has: kind_of. Keys are drawn as bits, unsigned numbers in the
 * order of the keys, and turned into the type; of float, none is a NaN or infinite.
 */
#ifndef CASES_H
#define CASES_H

#include <stdlib.h>
#include <string.h>

#include "../block_sort.h"
#include "element_bits.h"
#include "lab.h"
#include "rng.h"

enum { TILE = RADIX_TILE, WARP = 32, WARP_KEYS = TILE / (RADIX_THREADS / WARP) };

/* buffers of a part that has one input, such as keys alone; and what outputs have in common */
enum { D_IN, D_OUT };
#define RESULT .role = LAB_OUT, .owner = LAB_BY_GRID

static inline size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* ---- keys, as bits; 4-byte types in the lower half ------------------------------------------- */

static inline int width(lab_type type) { return type == LAB_I64 ? 64 : 32; }

/* The key as an unsigned number in its order. */
static inline uint64_t in_order(lab_type type, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << (width(type) - 1);

    if (type == LAB_U32)
        return key;
    if (type == LAB_F32 && (key & sign))
        return (uint32_t)~key;
    return key ^ sign;
}

static inline uint64_t from_order(lab_type type, uint64_t bits)
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
static inline kind kind_of(size_t n) { return (kind)((n / TILE + n) % 8); }

/* Of all 2^64 random numbers, to the bits of a key: by the upper ones, which the order is. */
static inline uint64_t to_key(lab_type type, uint64_t random)
{
    /* finite ones, in their order */
    const uint64_t lowest = 0x00800000u, count = 0xff000000u;

    if (type == LAB_F32)
        return from_order(type, lowest + ((random >> 32) * count >> 32));
    return from_order(type, type == LAB_I64 ? random : random >> 32);
}

/* The last keys are as large as keys can be, as padding may be, or have the lowest digit of such
   ones; the first are as small as can be. Of kinds that leave room for them. */
static inline void set_ends(lab_type type, kind which, void *data, size_t n)
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

static inline void fill_keys(lab_type type, void *data, size_t n, uint64_t seed)
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

/* ---- reference ------------------------------------------------------------------------------- */

/* Stable, by the bits [first, end), each `span` keys by themselves: once for each value of each
   byte. values, or null, go with their keys. */
static inline void sort_stable(lab_type type, const void *keys, const uint32_t *values,
                               void *keys_out, uint32_t *values_out, size_t n, size_t span,
                               int first, int end)
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

static inline void sort_keys(lab_type type, void *const *b, size_t n, size_t span, int first,
                             int end)
{
    sort_stable(type, b[D_IN], NULL, b[D_OUT], NULL, n, span, first, end);
}

#endif
