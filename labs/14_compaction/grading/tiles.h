/*
 * tiles.h: what the cases of labs 14 and 15 have in common: sizes and flags. For
 * inclusion by their cases.h.
 */
#ifndef TILES_H
#define TILES_H

#include <string.h>

#include "../compaction.h"
#include "element_bits.h"
#include "rng.h"

enum { TILE = COMPACTION_TILE, WARP_ELEMENTS = TILE / (COMPACTION_THREADS / 32) };

static inline size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

static inline size_t ceiling(size_t n, size_t by) { return (n + by - 1) / by; }

static inline size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

static inline size_t warps(size_t n) { return ceiling(n, WARP_ELEMENTS); }

/* Length of a buffer with the count alone. */
static inline size_t single(size_t n)
{
    (void)n;
    return 1;
}

/* ---- which data a case of n has -------------------------------------------------------------- */

/* Sizes around one and several tiles get different kinds. */
static inline unsigned kind_of(size_t n) { return (unsigned)((n / TILE + n) % 8); }

/* Draws `wanted` of the `left` elements that are still to come: is this one of them? */
static inline bool draw(rng *generator, size_t *wanted, size_t left)
{
    const bool drawn = rng_below(generator, left) < *wanted;

    *wanted -= drawn;
    return drawn;
}

static inline float not_a_number(void) { return as_float(0xffc00000u); }

/* Flags: of one case in two most are 0. Then values. */
static inline void fill_flags(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    const size_t one_in = rng_below(&generator, 2) == 0 ? 2 : 50;
    for (size_t i = 0; i < n; i++)
        ((int32_t *)data)[i] =
            buffer > 0 ? (int32_t)rng_next(&generator) : rng_below(&generator, one_in) == 0;
}

#endif
