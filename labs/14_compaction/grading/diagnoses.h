/*
 * diagnoses.h: what a wrong answer of lab 14 may come from. For inclusion by lab.c, after cases.h.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

static int64_t kept_in(const lab_mismatch *m, lab_type type, size_t from, size_t to)
{
    int64_t count = 0;

    for (size_t i = from; i < to && i < m->n; i++)
        count += is_kept(type, element(type, m->inputs[0], i));
    return count;
}

/* What is kept after the last tile that keeps nothing; -1: every tile keeps something. */
static int64_t kept_after_none(const lab_mismatch *m, lab_type type)
{
    int64_t count = 0;

    for (size_t t = tiles(m->n); t-- > 0;) {
        const int64_t in_tile = kept_in(m, type, t * TILE, (t + 1) * TILE);
        if (in_tile == 0)
            return count;
        count += in_tile;
    }
    return -1;
}

static const char *count_diagnose(const lab_mismatch *m, lab_type type)
{
    const size_t last = m->n > 0 ? (m->n - 1) / TILE * TILE : 0;
    const int64_t got = *(const int64_t *)m->got, expected = *(const int64_t *)m->expected,
                  in_last = kept_in(m, type, last, m->n);

    if (got == expected + (int64_t)(tiles(m->n) * TILE - m->n) && got != expected)
        return "the padding elements of the last tile are counted as kept: load_tile has filled "
               "it up with 0, and 0 is kept. Ask whether the array has an element there";
    if (last > 0 && got == 0 && in_last == 0)
        return "the last tile keeps nothing, and d_count is 0, as if those before it kept nothing "
               "either: does d_count get what the last tile keeps alone, or does a tile that keeps "
               "nothing publish a PREFIX of 0?";
    if (last > 0 && got != in_last && got == kept_after_none(m, type))
        return "d_count has only what is kept after a tile that keeps nothing: such a tile may "
               "have published a PREFIX of 0, where what all tiles before it keep belongs";
    for (size_t t = 1; got == in_last && got != expected && t < tiles(m->n); t++)
        if (got == kept_in(m, type, 0, t * TILE))
            return "d_count has what the last tile keeps, and not what all tiles keep, or what the "
                   "first ones do, and the last tile's own are missing: is it stored by the block "
                   "with the last number (blockIdx), and not by that with the last tile?";
    if (last > 0 && got == in_last)
        return "d_count has what the last tile keeps, and not what all tiles keep";
    if (last > 0 && got == expected - in_last)
        return "d_count has what all tiles before the last keep: the last tile's own are missing. "
               "Or is it stored by the block with the last number (blockIdx), and not by that with "
               "the last tile?";
    for (size_t t = 1; t + 1 < tiles(m->n); t++)
        if (got != expected && got == kept_in(m, type, 0, t * TILE))
            return "d_count has what some of the first tiles keep: is it stored by the block with "
                   "the last number (blockIdx), and not by that with the last tile?";
    if (got == expected - 1 && got > 0)
        return "d_count is off by one: is it the index of the last one? It has to be the number of "
               "elements";
    return NULL;
}

static bool sign_bit_clear(uint64_t bits) { return bits >> 31 == 0; }
/* not below 0 as an int, but for -0.0: a NaN of that sign, too */
static bool sign_bit_or_0(uint64_t bits) { return sign_bit_clear(bits) || as_float(bits) == 0; }
static bool finite_kept(uint64_t bits) { return as_float(bits) >= 0 && isfinite(as_float(bits)); }
static bool above_0(uint64_t bits) { return as_float(bits) > 0; }
static bool not_below_0(uint64_t bits) { return !(as_float(bits) < 0); }
static bool int_above_0(uint64_t bits) { return (int32_t)bits > 0; }
static bool long_above_0(uint64_t bits) { return (int64_t)bits > 0; }
static bool lower_half_kept(uint64_t bits) { return (int32_t)bits >= 0; }

#define ZERO_DROPPED "what is 0 was dropped: elements that are 0 or more are kept"

/* Elements that were kept by another rule. all: how many are to be kept; what is written past them
   is another rule's only where that keeps so many. */
static const char *rule_diagnose(const lab_mismatch *m, size_t all)
{
    static const struct {
        lab_type type;
        bool (*keeps)(uint64_t bits);
        const char *text;
    } rules[] = {
        { LAB_F32, not_below_0,
          "a NaN was kept: it is not below 0, but not 0 or more either. Ask is_kept" },
        { LAB_F32, sign_bit_clear,
          "the sign bit has decided what is kept. -0.0 is 0, and is kept: ask "
          "is_kept" },
        { LAB_F32, sign_bit_or_0,
          "the bits have decided what is kept, and a NaN whose sign bit is 0 was "
          "kept: it is not 0 or more. Ask is_kept" },
        { LAB_F32, finite_kept,
          "infinity was dropped: it is more than 0, and is kept. Ask is_kept" },
        { LAB_F32, above_0, ZERO_DROPPED },
        { LAB_I32, int_above_0, ZERO_DROPPED },
        { LAB_I64, long_above_0, ZERO_DROPPED },
        { LAB_I64, lower_half_kept,
          "the lower 4 bytes have decided what is kept: a long long has "
          "its sign in the upper ones" },
    };

    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        size_t k = 0;
        const lab_type type = rules[r].type;
        bool same = type == m->buffer->type;
        for (size_t i = 0; i < m->n && same; i++)
            if (rules[r].keeps(element(type, m->inputs[0], i)))
                same = element(type, m->got, k++) == element(type, m->inputs[0], i);
        if (same && (m->index < all || m->index < k))
            return rules[r].text;
    }
    return NULL;
}

static size_t all_kept(const lab_mismatch *m)
{
    size_t all = 0;

    for (size_t i = 0; i < m->n; i++)
        all += is_kept(m->buffer->type, element(m->buffer->type, m->inputs[0], i));
    return all;
}

/* type: of the elements. */
static const char *kept_diagnose(const lab_mismatch *m, lab_type type)
{
    const bool rest = strcmp(m->buffer->name, "d_rest") == 0;

    if (strcmp(m->buffer->name, "d_count") == 0)
        return count_diagnose(m, type);
    const size_t all = all_kept(m), count = rest ? m->n - all : all;
    if (!rest && rule_diagnose(m, all))
        return rule_diagnose(m, all);
    if (m->index >= count)
        return rest ? "d_rest was written past its last element"
                    : "d_out was written past the count: only the tile's kept elements are to be "
                      "stored, and none of a tile that keeps none";
    if (count > 1 && is_reordered(m, count, count))
        return "the right elements in the wrong order: it has to be that of the input. Ranks count "
               "the elements to the left; a number from an atomicAdd says who came first";
    return NULL;
}

static const char *kept_i32_diagnose(const lab_mismatch *m) { return kept_diagnose(m, LAB_I32); }
static const char *kept_f32_diagnose(const lab_mismatch *m) { return kept_diagnose(m, LAB_F32); }
static const char *kept_i64_diagnose(const lab_mismatch *m) { return kept_diagnose(m, LAB_I64); }

#endif
