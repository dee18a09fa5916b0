/*
 * cases.h: the inputs of lab 10, its four operations on the bits of an element, and the references.
 * For inclusion by lab.c.
 */
#ifndef CASES_H
#define CASES_H

#include "decoupled_lookback.h"
#include "element_bits.h"
#include "lab.h"
#include "references.h"
#include "rng.h"

enum { TILE = LOOKBACK_TILE };

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* ---- the four operations, on the bits of an element; 4-byte types in the lower half ---------- */

static uint64_t map(uint32_t a, uint32_t b) { return (uint64_t)b << 32 | a; }

static uint64_t identity(lab_type type) { return type == LAB_AFFINE ? map(1, 0) : 0; }

static uint64_t combine(lab_type type, uint64_t left, uint64_t right)
{
    const uint32_t a = (uint32_t)right, b = (uint32_t)(right >> 32);

    switch (type) {
    case LAB_F32: return float_bits(as_float(left) + as_float(right));
    case LAB_I64: return left + right;
    case LAB_AFFINE: return map(a * (uint32_t)left, a * (uint32_t)(left >> 32) + b);
    default: return (uint32_t)(left + right);
    }
}

/* 1 / a modulo 2^32, for odd a, by Newton's iteration: every round doubles the right bits, of which
   a itself has three. */
static uint32_t inverse(uint32_t a)
{
    uint32_t x = a;

    for (int round = 0; round < 4; round++)
        x *= 2 - a * x;
    return x;
}

/* The value c for which combine(c, right) is whole. The maps of this lab have odd a, and so an
   inverse. */
static uint64_t part_before(lab_type type, uint64_t whole, uint64_t right)
{
    const uint32_t a = inverse((uint32_t)right);

    switch (type) {
    case LAB_F32: return float_bits(as_float(whole) - as_float(right));
    case LAB_I64: return whole - right;
    case LAB_AFFINE:
        return map((uint32_t)whole * a, ((uint32_t)(whole >> 32) - (uint32_t)(right >> 32)) * a);
    default: return (uint32_t)(whole - right);
    }
}

/* ---- references ------------------------------------------------------------------------------ */

static void affine_reference(void *const *buffers, size_t n)
{
    const lab_affine *in = buffers[0];
    lab_affine *out = buffers[1], f = { 1, 0 };

    for (size_t i = 0; i < n; i++)
        out[i] = f = (lab_affine){ in[i].a * f.a, in[i].a * f.b + in[i].b };
}

static void tile_offsets_reference(void *const *buffers, size_t n)
{
    const int64_t *tile = buffers[0];
    int64_t *first = buffers[1];

    for (size_t k = 0; k < n; k++)
        first[k] = tile[k] * TILE;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void fill_i32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++)
        /* sums wrap around again and again */
        ((uint32_t *)data)[i] = (uint32_t)rng_next(&generator);
}

/* Sums have no more than 52 bits, which a double holds; and of some n some 60: few are negative. */
static void fill_i64(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const bool wide = n > 64 && (n % 8 == 3 || n % 8 == 5);
    const int64_t most = ((int64_t)1 << (wide ? 62 : 52)) / (n > 0 ? (int64_t)n : 1),
                  largest = wide || most < (int64_t)1 << 35 ? most : (int64_t)1 << 35;
    int64_t *values = data;
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        values[i] = rng_between(&generator, 1, largest);
        if (rng_below(&generator, 8) < (wide ? 1 : 4))
            values[i] = -values[i];
    }
}

/* Tile numbers of every size: the first the largest that the contract allows, the second the first
   beyond 2^31 elements. */
static void fill_tiles(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t k = 0; k < n; k++)
        ((int64_t *)data)[k] = rng_between(&generator, 0, (int64_t)1 << rng_below(&generator, 41));
    if (n > 0)
        ((int64_t *)data)[0] = (int64_t)1 << 40;
    if (n > 1)
        ((int64_t *)data)[1] = ((int64_t)1 << 31) / TILE;
}

#endif
