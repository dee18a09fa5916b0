/*
 * diagnoses.h: what a wrong answer of lab 15 may come from. For inclusion by lab.c, after cases.h.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <math.h>
#include <string.h>

#include "cases.h"

/* How many runs there are if, at multiples of `border`, every key is a head, or none is. */
static int64_t runs_if(const lab_mismatch *m, lab_type type, size_t border, bool head)
{
    const void *keys = m->inputs[0];
    int64_t count = m->n > 0;

    for (size_t i = 1; i < m->n; i++)
        count += i % border == 0
                     ? head
                     : !same_key(type, element(type, keys, i - 1), element(type, keys, i));
    return count;
}

static size_t all_runs(const lab_mismatch *m, lab_type type)
{
    const void *keys = m->inputs[0];
    size_t count = m->n > 0;

    for (size_t i = 1; i < m->n; i++)
        count += !same_key(type, element(type, keys, i - 1), element(type, keys, i));
    return count;
}

static const char *run_count_diagnose(const lab_mismatch *m, lab_type type)
{
    static const size_t borders[] = { TILE, WARP_ELEMENTS, 32 };
    static const char *const twice[] = {
        "a run that goes on into the next tile is counted again there: the tile's first key has to "
        "be compared with the one before it, which the tile before has",
        "a run that goes on into the next warp is counted again there: the warp's first key has to "
        "be compared with the one before it",
        "a run that goes on into the next row is counted again there: lane 0's key has to be "
        "compared with lane 31's of the row before",
    };
    static const char *const never[] = {
        "a run that begins with a tile is not counted: is the tile's first key a head?",
        "a run that begins with a warp is not counted: is the warp's first key a head?",
        ("a run that begins with a row of 32 is not counted: lane 0 has no lane to its left, and "
         "__shfl_up_sync gives it its own key"),
    };
    const int64_t got = *(const int64_t *)m->got, expected = *(const int64_t *)m->expected;

    if (m->n % TILE != 0 &&
        (got == expected + 1 || got == expected + (int64_t)(TILE - m->n % TILE)))
        return "too many runs: do the padding elements of the last tile begin some? They are 0, "
               "and begin none";
    if (got == expected - 1 && got > 0)
        return "d_count is off by one: is it the index of the last run? It has to be the number of "
               "runs";
    for (size_t b = 0; b < sizeof borders / sizeof borders[0]; b++) {
        if (got == runs_if(m, type, borders[b], true))
            return twice[b];
        if (got == runs_if(m, type, borders[b], false))
            return never[b];
    }
    return NULL;
}

/* Ways to compare keys that are not ==; eps for one of them. */
static bool same_low_byte(lab_type type, uint64_t a, uint64_t b, float eps)
{
    (void)eps;
    return type != LAB_F32 ? (uint8_t)a == (uint8_t)b : same_key(type, a, b);
}
static bool same_lower_half(lab_type type, uint64_t a, uint64_t b, float eps)
{
    (void)eps;
    return type == LAB_I64 ? (uint32_t)a == (uint32_t)b : same_key(type, a, b);
}
static bool same_as_floating(lab_type type, uint64_t a, uint64_t b, float eps)
{
    (void)eps;
    return type == LAB_I64   ? (double)(int64_t)a == (double)(int64_t)b
           : type == LAB_I32 ? (float)(int32_t)a == (float)(int32_t)b
                             : same_key(type, a, b);
}
static bool near(lab_type type, uint64_t a, uint64_t b, float eps)
{
    return same_key(type, a, b) || (type == LAB_F32 && fabsf(as_float(a) - as_float(b)) < eps);
}
static bool near_and_finite(lab_type type, uint64_t a, uint64_t b, float eps)
{
    return type != LAB_F32 ? a == b : fabsf(as_float(a) - as_float(b)) <= eps;
}

/* Are the first keys of runs what they would be if keys were compared so? */
static bool unique_by(const lab_mismatch *m, bool (*same)(lab_type, uint64_t, uint64_t, float),
                      float eps)
{
    const lab_type type = m->buffer->type;
    const void *keys = m->inputs[0];
    size_t k = 0;

    for (size_t i = 0; i < m->n; i++)
        if (i == 0 || !same(type, element(type, keys, i - 1), element(type, keys, i), eps))
            if (element(type, m->got, k++) != element(type, keys, i))
                return false;
    return true;
}

static const char *comparison_diagnose(const lab_mismatch *m)
{
    if (unique_by(m, same_low_byte, 0))
        return "keys that differ only above their low 8 bits were taken for equal: compare all "
               "bits of a key";
    if (unique_by(m, same_lower_half, 0))
        return "keys that differ only in their upper 4 bytes were taken for equal: compare all 8";
    if (unique_by(m, same_as_floating, 0))
        return "keys that differ only in their low bits were taken for equal: a float tells 24 "
               "bits of an int apart, a double 53 of a long long. Compare them as what they are";
    for (float eps = 0.1f; eps > 1e-8f; eps /= 10)
        if (unique_by(m, near, eps) || unique_by(m, near_and_finite, eps))
            return "float keys that are near each other were taken for equal: == says whether "
                   "they are, and their difference does not";
    return unique_by(m, near_and_finite, 0)
               ? "a run of infinite keys was cut up: infinity == infinity, but their difference "
                 "is NaN. Compare by =="
               : NULL;
}

/* Are long longs wrong in their low digits alone, as doubles would have them? */
static bool is_rounded(const lab_mismatch *m)
{
    const int64_t *got = m->got, *expected = m->expected;

    for (size_t k = 0; k < m->length; k++) {
        const double off = (double)got[k] - (double)expected[k], of = (double)expected[k];
        if (got[k] != expected[k] && (off > 0 ? off : -off) * (1 << 30) > (of > 0 ? of : -of))
            return false;
    }
    return true;
}

/* Is only what belongs to runs wrong which the first head of some `span` elements closes? */
static bool wrong_at_first_heads(const lab_mismatch *m, lab_type type, size_t span)
{
    const lab_type of = m->buffer->type;
    bool first = false; /* element 0 is the first head of all, and closes none */
    size_t run = 0;

    for (size_t i = 1; i < m->n; i++) {
        first = first || i % span == 0;
        if (same_key(type, element(type, m->inputs[0], i - 1), element(type, m->inputs[0], i)))
            continue;
        if (!first && element(of, m->got, run) != element(of, m->expected, run))
            return false;
        first = false;
        run++;
    }
    return m->n > span;
}

/* Of lengths and sums of r runs, whose keys have this type. */
static const char *totals_diagnose(const lab_mismatch *m, lab_type type, size_t r)
{
    static const struct {
        size_t span;
        const char *cause;
    } firsts[] = {
        { TILE, "only runs that the first head of a tile closes are wrong: such a run may have "
                "begun many tiles before, and what was open there, from look-back, belongs to it" },
        { WARP_ELEMENTS, "only runs that the first head of a warp closes are wrong: what the warps "
                         "before it have open belongs to them, and what the tiles before have" },
        { 32, "only runs that the first head of a row closes are wrong: what the rows before it "
              "have open belongs to them" },
    };
    bool only_last = true;

    if (m->index >= r)
        return "written past the last run: the padding elements of the last tile begin no run, "
               "and belong to none";
    if (m->buffer->type == LAB_I64 && is_rounded(m))
        return "the sums are right but for their low digits: a double has 53 bits, and they are "
               "long longs. Add them as such";
    if (m->buffer->type == LAB_F32 && (m->n % 8 == 3 || isnan(((const float *)m->got)[m->index])))
        return NULL; /* rounded, maybe: see lab_fill_exact; or made of infinite ones */
    for (size_t k = 0; k + 1 < r; k++)
        only_last = only_last &&
                    element(m->buffer->type, m->got, k) == element(m->buffer->type, m->expected, k);
    if (only_last)
        return "only the last run is wrong. No head closes it: the last tile has to, with what is "
               "open at the end of the array and no more than that";
    for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; f++)
        if (wrong_at_first_heads(m, type, firsts[f].span))
            return firsts[f].cause;
    return "the runs are right, and their lengths or sums are wrong. A head closes the run before "
           "it, with all that is open there: of its row, of its warp, and of what lies before";
}

static const char *runs_diagnose(const lab_mismatch *m, lab_type type)
{
    if (strcmp(m->buffer->name, "d_count") == 0)
        return run_count_diagnose(m, type);
    const size_t r = all_runs(m, type);
    if (strcmp(m->buffer->name, "d_unique") != 0)
        return totals_diagnose(m, type, r);
    if (comparison_diagnose(m))
        return comparison_diagnose(m);
    return m->index >= r
               ? "d_unique was written past the last run: the padding elements of the last tile "
                 "begin no run, and where a run goes on into a tile it does not begin there"
               : NULL;
}

static const char *runs_i32_diagnose(const lab_mismatch *m) { return runs_diagnose(m, LAB_I32); }
static const char *runs_f32_diagnose(const lab_mismatch *m) { return runs_diagnose(m, LAB_F32); }
static const char *runs_i64_diagnose(const lab_mismatch *m) { return runs_diagnose(m, LAB_I64); }

static const char *heads_diagnose(const lab_mismatch *m)
{
    const int32_t *got = m->got;
    const float *key = m->inputs[0];
    const size_t i = m->index;

    if (i % TILE == 0)
        return i == 0 ? "element 0 has nothing before it, and begins a run"
                      : "the first key of a tile has to be compared with the last one of the tile "
                        "before, which is in d_keys";
    if (i % WARP_ELEMENTS == 0)
        return "the first key of a warp has to be compared with the last one of the warp before";
    if (i % 32 == 0)
        return "lane 0 has to compare its key with lane 31's of the row before";
    if (got[i])
        return key[i] == 0 ? "0.0 and -0.0 are the same key: compare with same_key"
                           : "equal keys were taken for different: compare with same_key; infinity "
                             "less infinity is NaN";
    return "different keys were taken for equal: compare with same_key, to the last bit";
}

/* The first wrong element of d_open: has it a head before it in its row of 32? */
static const char *open_diagnose(const lab_mismatch *m)
{
    const int32_t *head = m->inputs[0];
    const size_t row = m->index - m->index % 32;
    bool headed = false;

    if (strcmp(m->buffer->name, "d_open") != 0)
        return NULL;
    for (size_t i = row; i < m->index; i++)
        headed = headed || head[i] != 0;
    if (headed)
        return "right up to there, and wrong after a head of a row of 32: what the rows before "
               "have left open ends at that head";
    return row % WARP_ELEMENTS > 0
               ? "wrong before the first head of a row of 32: what the rows before have left open "
                 "goes on there, from a head of theirs on"
               : NULL;
}

static const char *join_diagnose(const lab_mismatch *m)
{
    const int64_t *heads = m->inputs[0];
    const size_t k = m->index;

    if (m->buffer->type == LAB_I64)
        return "heads add up, all of them, in 64 bits";
    return heads[k + 1] > 0
               ? "a head in the right part closes the unfinished run of the left one: that is "
                 "not added"
               : "no head in the right part: the unfinished run of the left one goes on there";
}

#endif
