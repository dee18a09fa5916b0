/*
 * diagnoses.h: what a wrong answer of lab 10 may come from: what was put before each tile? For
 * inclusion by lab.c, after step_cases.h.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <stdlib.h>

#include "step_cases.h"

/* A wrong output, tile by tile. All values as bits. */
typedef struct tile_view {
    lab_type type;
    size_t count;
    uint64_t *aggregate;
    uint64_t *before; /* what the output says was put before the tile's elements */
    /* what the tile then published as its inclusive prefix, right or not */
    uint64_t *prefix;
} tile_view;

/* Is every element of the tile its scan within the tile with one and the same value before it? Sets
   what belongs to the tile. */
static bool solve_tile(const lab_mismatch *m, tile_view *v, size_t tile)
{
    const size_t first = tile * TILE, end = first + TILE < m->n ? first + TILE : m->n;
    uint64_t sum = identity(v->type), before = 0;

    for (size_t i = first; i < end; i++) {
        sum = combine(v->type, sum, element(v->type, m->inputs[0], i));
        uint64_t got = element(v->type, m->got, i);
        if (i == first)
            before = part_before(v->type, got, sum);
        else if (combine(v->type, before, sum) != got)
            return false;
    }
    v->aggregate[tile] = sum;
    v->before[tile] = before;
    v->prefix[tile] = combine(v->type, before, sum);
    return true;
}

/* Did look-back do as it should, on what the tiles before had published? */
static bool is_sound(const tile_view *v, size_t tile)
{
    uint64_t near = identity(v->type);

    for (size_t t = tile; t > 0; t--) {
        if (v->before[tile] == combine(v->type, v->prefix[t - 1], near))
            return true;
        near = combine(v->type, v->aggregate[t - 1], near);
    }
    return tile == 0 && v->before[0] == identity(v->type);
}

static bool is_nothing(const tile_view *v, size_t tile)
{
    return tile == 0 || v->before[tile] == identity(v->type);
}
static bool is_aggregate(const tile_view *v, size_t tile)
{
    return tile > 0 && v->before[tile] == v->aggregate[tile - 1];
}

/* The aggregates of some tiles next to it, or of none, and nothing further left. */
static bool is_cut_short(const tile_view *v, size_t tile)
{
    uint64_t sum = identity(v->type);

    for (size_t t = tile; t > 0 && v->before[tile] != sum; t--)
        sum = combine(v->type, v->aggregate[t - 1], sum);
    return v->before[tile] == sum;
}

/* Aggregates back to a P, and before that one P more, or several side by side. */
static bool is_beyond_prefix(const tile_view *v, size_t tile)
{
    uint64_t near = identity(v->type);

    for (size_t t = tile; t > 1; t--) {
        uint64_t sum = combine(v->type, v->prefix[t - 1], near);
        for (size_t further = t - 1; further > 0; further--) {
            sum = combine(v->type, v->prefix[further - 1], sum);
            if (v->before[tile] == sum)
                return true;
        }
        near = combine(v->type, v->aggregate[t - 1], near);
    }
    return false;
}

/* Is every tile so whose look-back was not sound? */
static bool faulty_tiles_are(const tile_view *v, bool (*so)(const tile_view *, size_t))
{
    for (size_t t = 0; t < v->count; t++)
        if (!is_sound(v, t) && !so(v, t))
            return false;
    return true;
}

static bool all_tiles_are(const tile_view *v, bool (*so)(const tile_view *, size_t))
{
    for (size_t t = 0; t < v->count; t++)
        if (!so(v, t))
            return false;
    return true;
}

static const char *name_carry(const tile_view *v)
{
    if (all_tiles_are(v, is_sound))
        return NULL;
    if (all_tiles_are(v, is_nothing))
        return "nothing is put before the elements of any tile: the last combination is missing, "
               "or look-back returns nothing; or a PREFIX is published that lacks the tile's own "
               "aggregate";
    if (faulty_tiles_are(v, is_aggregate))
        return "what is put before a tile is the aggregate of its neighbour alone: an A was taken "
               "for a P, or the P that ended the look-back was left out";
    if (faulty_tiles_are(v, is_cut_short))
        return "look-back stops early: it combined aggregates of tiles before, but the P that "
               "ended the look-back was left out, or it never got as far";
    if (faulty_tiles_are(v, is_beyond_prefix))
        return "what lies left of the nearest P is counted again: look-back goes on beyond it (in "
               "the ballot the nearest tile is the lowest bit), or a P's value is taken for an "
               "A's: "
               "status and value have to come from one load";
    return "within each tile the values fit together, but look-back returned something else than "
           "the tiles before come to: it combined the wrong ones, or took a status and a "
           "value that do not belong together";
}

static const char *diagnose_tiles(const lab_mismatch *m, tile_view *v)
{
    for (size_t t = 0; t < v->count; t++)
        if (!solve_tile(m, v, t))
            return NULL;
    return name_carry(v);
}

/* Are long longs wrong in their low digits alone, as doubles would have them? */
static bool is_rounded(const lab_mismatch *m)
{
    const int64_t *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->n; i++) {
        const int64_t off = (int64_t)((uint64_t)got[i] - (uint64_t)expected[i]);
        if (off > 1 << 24 || off < -(1 << 24))
            return false;
    }
    return true;
}

/* Does each warp of tile 0 scan its elements as if it were the first one? */
static bool is_warp_alone(const lab_mismatch *m)
{
    const size_t share = TILE / (LOOKBACK_THREADS / 32), end = m->n < TILE ? m->n : TILE;
    const lab_type type = m->buffer->type;
    uint64_t sum = identity(type);

    for (size_t i = 0; i < end; i++) {
        sum = combine(type, i % share == 0 ? identity(type) : sum, element(type, m->inputs[0], i));
        if (element(type, m->got, i) != sum)
            return false;
    }
    return end > share;
}

static const char *diagnose(const lab_mismatch *m)
{
    tile_view v = { .type = m->buffer->type, .count = tiles(m->n) };
    const char *cause = NULL;

    if (v.type == LAB_I64 && is_rounded(m))
        return "the sums are right but for their low digits: a double has 53 bits, and they are "
               "long longs. Add them as such";
    if (v.type == LAB_AFFINE && maps_are_reordered(m))
        return "every a is right, and some b is not: the right maps were composed in the wrong "
               "order. Whatever lies further left in the array is the left operand, wherever two "
               "are combined";
    if (is_warp_alone(m))
        return "every warp scans as if it were the tile's first: what the warps before it in the "
               "tile come to is not put before its elements";
    v.aggregate = calloc(3 * v.count + 1, sizeof *v.aggregate);
    if (v.aggregate && m->n > TILE) {
        v.before = v.aggregate + v.count;
        v.prefix = v.before + v.count;
        cause = diagnose_tiles(m, &v);
    }
    free(v.aggregate);
    return cause;
}

/* How far back tiles looked: what d_depth cannot be. */
static const char *depth_fault(lab_noted *d)
{
    /* each tile waited for the one that it names, which had waited in its turn */
    enum { MANY = 16 };
    const char *fault = NULL;

    if (d->launches > 1)
        return NULL; /* this is no look-back at all, as the gates will say */
    uint64_t *chain = calloc(d->length + 1, sizeof *chain);

    for (size_t t = 0; t < d->length && chain && !fault; t++) {
        const int32_t depth = d->value[t];
        d->index = t;
        if (depth == d->unwritten)
            fault = "each tile notes how many tiles back the prefix was that ended its look-back";
        else if (t == 0 && depth != 0)
            fault = "tile 0 has no tile before it and does not look back: its depth is 0";
        else if (t > 0 && depth == 0)
            fault = "only tile 0 looks back over no tile: if the prefix was that of the tile "
                    "before, the depth is 1";
        else if (depth < 0 || (size_t)depth > t)
            fault = "there is no tile that far back: the depth is the tile's number less that of "
                    "the tile whose prefix ended the look-back";
        else if (d->resident && !d->late && (unsigned)depth > d->resident)
            fault = "no look-back goes further than blocks are resident, since tiles whose blocks "
                    "have ended have left a prefix: count from the tile itself to the nearest "
                    "prefix, and stop there";
        else if (d->chain_exact && lab_not_observed(d, t))
            fault =
                "the run was different: this tile never saw a prefix at the tile that d_depth "
                "names. Note how far back the prefix was that ended the look-back, counted over "
                "all windows";
        else
            chain[t] = t == 0 ? 0 : chain[t - (size_t)depth] + 1;
        /* blocks that stay do not wait for themselves: with many resident, those are few */
        const bool known = d->chain_known && d->chain > 0 && d->resident >= MANY;
        if (!fault &&
            ((d->chain_exact && chain[t] > d->chain) || (known && chain[t] > 2 * d->chain + MANY)))
            fault = "the run was different: if all tiles had found their prefix where d_depth "
                    "says, more blocks would have waited for each other than did. Note how far "
                    "back the prefix was that ended the look-back";
    }
    free(chain);
    return fault;
}

static const char *tile_offsets_diagnose(const lab_mismatch *m)
{
    const int64_t *tile = m->inputs[0], *got = m->got;

    for (size_t k = 0; k < m->n; k++)
        if ((uint32_t)got[k] != (uint32_t)(tile[k] * TILE) ||
            (got[k] != (int32_t)got[k] && got[k] != (uint32_t)got[k]))
            return NULL;
    return "the index is computed in 32 bits and wraps around: one of the factors has to be a long "
           "long before they are multiplied, and the result has to stay one";
}

#endif
