/*
 * cases.h: which data the cases of lab 14 have, and the references. For inclusion by lab.c.
 *
 * What a case keeps is fixed by n, so that limits stay functions of n: share_of(n) says which kind
 * of data a case of n has, kept(n) how much of it is kept. Which elements those are is random,
 * where the kind leaves room for that.
 */
#ifndef CASES_H
#define CASES_H

#include <math.h>

#include "tiles.h"

static bool is_kept(lab_type type, uint64_t bits)
{
    if (type == LAB_F32)
        return as_float(bits) >= 0;
    return type == LAB_I32 ? (int32_t)bits >= 0 : (int64_t)bits >= 0;
}

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

/* ---- inputs ---------------------------------------------------------------------------------- */

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

static void elements_i32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_elements(LAB_I32, data, n, seed + buffer);
}

static void elements_f32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_elements(LAB_F32, data, n, seed + buffer);
}

static void elements_i64(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_elements(LAB_I64, data, n, seed + buffer);
}

/* Element i is another one, kept as it was, or not; of the others, the next one after it is now a
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

/* ---- references ------------------------------------------------------------------------------ */

/* Buffers: of all parts, of those with one output, and of partition. */
enum { IN, OUT, COUNT, REST = COUNT, KEPT = COUNT, COUNT_AFTER_REST };
enum { LANES = 32 };

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

static void select_i32(void *const *b, size_t n)
{
    split(LAB_I32, b[IN], b[OUT], NULL, b[COUNT], n);
}
static void select_f32(void *const *b, size_t n)
{
    split(LAB_F32, b[IN], b[OUT], NULL, b[COUNT], n);
}
static void select_i64(void *const *b, size_t n)
{
    split(LAB_I64, b[IN], b[OUT], NULL, b[COUNT], n);
}

static void partition_i32(void *const *b, size_t n)
{
    split(LAB_I32, b[IN], b[OUT], b[REST], b[COUNT_AFTER_REST], n);
}
static void partition_f32(void *const *b, size_t n)
{
    split(LAB_F32, b[IN], b[OUT], b[REST], b[COUNT_AFTER_REST], n);
}
static void partition_i64(void *const *b, size_t n)
{
    split(LAB_I64, b[IN], b[OUT], b[REST], b[COUNT_AFTER_REST], n);
}

static void far_tiles(void *const *b, size_t n)
{
    select_i32(b, n);
    if (n > 0)
        *(int64_t *)b[COUNT] += (int64_t)COMPACTION_FAR_TILE * TILE;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A number for each thread of each tile. */
static size_t threads_of_tiles(size_t n) { return tiles(n) * COMPACTION_THREADS; }

static void ranks_reference(void *const *buffers, size_t n)
{
    const int32_t *flag = buffers[IN];
    int32_t *rank = buffers[OUT], *kept = buffers[KEPT], before = 0;

    for (size_t i = 0; i < n; i++) {
        before = i % WARP_ELEMENTS == 0 ? 0 : before;
        rank[i] = before;
        before += flag[i];
        for (size_t lane = 0; lane < LANES; lane++)
            kept[i / WARP_ELEMENTS * LANES + lane] = before;
    }
    for (size_t k = warps(n) * LANES; k < threads_of_tiles(n); k++)
        kept[k] = 0;
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

static size_t far_length(size_t n) { return n * COMPACTION_FAR_RUN; }

static void far_reference(void *const *buffers, size_t n)
{
    for (size_t k = 0; k < far_length(n); k++)
        ((int32_t *)buffers[OUT])[k] = (int32_t)k;
}

/* A word's count has no sign. */
static void fill_words(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        ((int32_t *)data)[k] = (int32_t)rng_below(&generator, 1 << 30);
}

static void words_reference(void *const *buffers, size_t n)
{
    const int32_t *in = buffers[IN];
    int32_t *out = buffers[OUT];

    for (size_t k = 0; k < n; k++)
        out[k] = in[k] + (k + 1 < n ? in[k + 1] : 0);
}

#endif
