/*
 * step_cases.h: the steps of lab 10, which call the device functions one by one: inputs,
 * references, and what a wrong answer may come from. For inclusion by lab.c.
 */
#ifndef STEP_CASES_H
#define STEP_CASES_H

#include <stdio.h>

#include "cases.h"

enum { INVALID, AGGREGATE, PREFIX };

static bool is_packed(size_t tile) { return tile % 2 == 0; }

static uint64_t word_of(unsigned epoch, unsigned status, uint32_t lower)
{
    return (uint64_t)(epoch << 2 | status) << 32 | lower;
}
static unsigned status_of(uint64_t word)
{
    return word >> 34 == LOOKBACK_STEP_EPOCH ? word >> 32 & 3 : INVALID;
}

/* A status for each tile, and then a value. */
static void fill_publish(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        if (buffer == 0)
            ((int32_t *)data)[k] = (int32_t)rng_between(&generator, AGGREGATE, PREFIX);
        else
            ((uint64_t *)data)[k] = rng_next(&generator) | 1;
}

static void publish_reference(void *const *buffers, size_t n)
{
    const int32_t *status = buffers[0];
    const uint64_t *value = buffers[1];
    uint64_t *word = buffers[2], *aggregate = buffers[3], *prefix = buffers[4];

    for (size_t k = 0; k < n; k++) {
        const uint32_t lower = is_packed(k) ? (uint32_t)value[k] : 0;
        word[k] = word_of(LOOKBACK_STEP_EPOCH, (unsigned)status[k], lower);
        aggregate[k] = !is_packed(k) && status[k] == AGGREGATE ? value[k] : 0;
        prefix[k] = !is_packed(k) && status[k] == PREFIX ? value[k] : 0;
    }
}

static const char *publish_diagnose(const lab_mismatch *m)
{
    const uint64_t got = ((const uint64_t *)m->got)[m->index],
                   expected = ((const uint64_t *)m->expected)[m->index];
    const int32_t status = ((const int32_t *)m->inputs[0])[m->index];

    if (m->buffer->name[2] != 'w')
        return got == 0 ? "the value of a tile that is not packed was not stored: an A in "
                          "d.aggregate, a P in d.prefix"
                        : "a value was stored where none belongs: an A goes into d.aggregate, a P "
                          "into d.prefix, and a packed value only into the word";
    if (got == 0)
        return "the word of the tile was not written: publish ends with it";
    if (got >> 32 == expected >> 32)
        return is_packed(m->index)
                   ? "the status is right, and the value below it is not"
                   : "the word of a value that is not packed has 0 below its status";
    return status == PREFIX && status_of(got) == AGGREGATE
               ? "a P was published as an A: word_of takes the status that publish was given"
               : NULL;
}

/* Words of this launch and of others, with every status; then values. */
static void fill_inspect(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++) {
        const uint64_t value = rng_next(&generator) | 1;
        const unsigned epoch =
            rng_below(&generator, 4) == 0
                ? LOOKBACK_STEP_EPOCH - 1 + 2 * (unsigned)rng_below(&generator, 2)
                : LOOKBACK_STEP_EPOCH;
        const unsigned status = (unsigned)rng_below(&generator, PREFIX + 1);
        ((uint64_t *)data)[k] =
            buffer > 0 ? value : word_of(epoch, status, is_packed(k) ? (uint32_t)value : 0);
    }
}

static void inspect_reference(void *const *buffers, size_t n)
{
    const uint64_t *word = buffers[0], *aggregate = buffers[1], *prefix = buffers[2];
    int32_t *status = buffers[3];
    uint64_t *value = buffers[4];

    for (size_t k = 0; k < n; k++) {
        const unsigned seen = status_of(word[k]);
        status[k] = (int32_t)seen;
        value[k] = seen == INVALID  ? 0
                   : is_packed(k)   ? (uint32_t)word[k]
                   : seen == PREFIX ? prefix[k]
                                    : aggregate[k];
    }
}

static const char *inspect_diagnose(const lab_mismatch *m)
{
    const uint64_t word = ((const uint64_t *)m->inputs[0])[m->index];

    if (m->buffer->type == LAB_I32)
        return word >> 34 != LOOKBACK_STEP_EPOCH
                   ? "the word is of another launch, and counts as INVALID: status_of says so"
                   : "the status that inspect returned is not that of the tile's word";
    return is_packed(m->index)
               ? "the status is right, and the value is not: a packed one is the word's lower half"
               : "the status is right, and the value is not: of an A it stands in d.aggregate, of "
                 "a P in d.prefix";
}

static void fill_values(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        ((uint64_t *)data)[k] = rng_next(&generator) | 1;
}

static void hand_over_reference(void *const *buffers, size_t n)
{
    const uint64_t *value = buffers[0];
    uint64_t *seen = buffers[1];
    int32_t *torn = buffers[2];

    for (size_t k = 0; k < n; k++) {
        seen[k] = k / 32 % 2 == 0 ? (uint32_t)(2 * value[k]) : 2 * value[k];
        torn[k] = 0;
    }
}

static const char *hand_over_diagnose(const lab_mismatch *m)
{
    return m->buffer->type == LAB_I32
               ? "a status A came with another value than the aggregate: both have to come out of "
                 "the same word, or A and P have to have places of their own"
               : "a status P came with another value than the prefix: they were stored apart, or "
                 "read apart";
}

/* Words and maps of tiles of which some published P, tile 0 among them: often none in 32. */
static void fill_window(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { TILES_A_PREFIX = 30 };
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++) {
        const bool prefix = k == 0 || rng_below(&generator, TILES_A_PREFIX) == 0;
        const uint32_t a = (uint32_t)rng_next(&generator), b = (uint32_t)rng_next(&generator);
        if (buffer == 0)
            ((uint64_t *)data)[k] = word_of(LOOKBACK_STEP_EPOCH, prefix ? PREFIX : AGGREGATE, 0);
        else
            ((uint64_t *)data)[k] = map(a | 1, b);
    }
}

static void window_reference(void *const *buffers, size_t n)
{
    const uint64_t *word = buffers[0], *aggregate = buffers[1], *prefix = buffers[2];
    uint64_t *before = buffers[3];
    int32_t *depth = buffers[4];

    for (size_t k = 0; k < n; k++) {
        size_t tile = k;
        before[k] = identity(LAB_AFFINE);
        for (; status_of(word[tile]) == AGGREGATE; tile--)
            before[k] = combine(LAB_AFFINE, aggregate[tile], before[k]);
        before[k] = combine(LAB_AFFINE, prefix[tile], before[k]);
        depth[k] = (int32_t)(k + 1 - tile);
    }
}

/* Maps: are all factors a right, whose product does not depend on the order? */
static bool maps_are_reordered(const lab_mismatch *m)
{
    for (size_t i = 0; i < m->n; i++)
        if ((uint32_t)element(LAB_AFFINE, m->got, i) !=
            (uint32_t)element(LAB_AFFINE, m->expected, i))
            return false;
    return true;
}

enum { WINDOW = 32 }; /* tiles that a warp looks at together */

/* Of a tile whose P is more than 32 tiles back: does it return what the last window came to? */
static bool is_last_window_alone(const lab_mismatch *m)
{
    const uint64_t *word = m->inputs[0], *aggregate = m->inputs[1], *prefix = m->inputs[2],
                   *got = m->got;
    const size_t k = m->index;
    size_t p = k, seen = 0;

    for (; status_of(word[p]) == AGGREGATE; p--)
        seen++;
    uint64_t sum = prefix[p];
    for (size_t t = p + 1; t <= k - seen / WINDOW * WINDOW; t++)
        sum = combine(LAB_AFFINE, sum, aggregate[t]);
    return seen >= WINDOW && got[k] == sum;
}

/* How many tiles, the nearest ones, what it returns for tile k consists of; 0: not of some that end
   before the nearest P. *all: there are no more of these. */
static size_t nearest_alone(const lab_mismatch *m, size_t k, bool *all)
{
    const uint64_t *word = m->inputs[0], *aggregate = m->inputs[1], *got = m->got;
    uint64_t sum = identity(LAB_AFFINE);

    for (size_t tile = k; status_of(word[tile]) == AGGREGATE; tile--) {
        sum = combine(LAB_AFFINE, aggregate[tile], sum);
        *all = status_of(word[tile - 1]) == PREFIX;
        if (got[k] == sum)
            return k + 1 - tile;
    }
    return 0;
}

/* In a few tiles either may be meant: then a larger case says. */
static const char *name_short(const lab_mismatch *m)
{
    static char text[240];
    const uint64_t *got = m->got, *expected = m->expected;
    bool all, alike = true, lacks_p = true;
    const size_t count = nearest_alone(m, m->index, &all);

    for (size_t k = 0; k < m->length; k++) {
        if (got[k] == expected[k])
            continue;
        const size_t seen = nearest_alone(m, k, &all);
        if (seen == 0)
            return NULL;
        alike = alike && seen == count;
        lacks_p = lacks_p && all;
    }
    if (lacks_p)
        return alike ? NULL
                     : "the P that ends the look-back is left out: take in what that tile's prefix "
                       "is, too";
    if (!alike)
        return "it ends too early: what lies further left is missing, up to the nearest P and with "
               "it. Only a P ends the look-back";
    snprintf(text, sizeof text,
             "it looks at too few tiles: what it returns comes of the nearest %zu, and those "
             "further left are missing, up to the nearest P and with it",
             count);
    return text;
}

static const char *window_diagnose(const lab_mismatch *m)
{
    const uint64_t *prefix = m->inputs[2], *got = m->got;
    const size_t k = m->index;

    if (m->buffer->type == LAB_I32)
        return "what it returns is right, and *depth is not: it counts tiles, from the tile that "
               "looks back to the one whose P it found; the neighbour's is 1";
    if (got[k] == identity(LAB_AFFINE))
        return "look_back returns nothing: the identity";
    if (maps_are_reordered(m))
        return "every a is right, and some b is not: the right maps were composed in the wrong "
               "order. Whatever lies further left in the array is the left operand";
    if (k >= 1 && status_of(((const uint64_t *)m->inputs[0])[k]) == AGGREGATE &&
        got[k] == prefix[k])
        return "only the neighbour was looked at: it published A, so look further, up to the "
               "nearest P, and take that in as well";
    if (is_last_window_alone(m))
        return "what the nearer windows of 32 tiles came to is lost: each window is put before "
               "what was gathered, which is combined with it";
    return name_short(m);
}

#endif
