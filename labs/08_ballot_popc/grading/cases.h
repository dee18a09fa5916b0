/*
 * cases.h: the data of lab 08, and the references. For inclusion by lab.c.
 */
#ifndef CASES_H
#define CASES_H

#include "ballot_popc.h"
#include "lab.h"
#include "references.h"
#include "rng.h"

enum { SECTION = BALLOT_POPC_SECTION, WARP = 32, LARGEST_SMALL = (1 << BALLOT_POPC_BITS) - 1 };

/* ---- data ------------------------------------------------------------------------------------ */

/* Not 0: a small number of either sign, or now and then a single bit of the upper ones. */
static int32_t true_value(rng *r)
{
    int32_t value = (int32_t)rng_between(r, 1, 8);

    if (rng_below(r, 8) == 0)
        return (int32_t)(1u << rng_between(r, 8, 31));
    return rng_below(r, 2) ? value : -value;
}

/* True with chance eighths/8. */
static void fill_run(int32_t *data, size_t count, unsigned eighths, rng *r)
{
    for (size_t i = 0; i < count; i++)
        data[i] = rng_below(r, 8) < eighths ? true_value(r) : 0;
}

/* Sections all true, all false, and mixed; in the mixed ones warps all true, all false, and of
   every density. The first section is mixed, so that the whole is never constant; a single element
   is true. */
static void fill_predicates(int32_t *pred, size_t n, rng *r)
{
    for (size_t first = 0; first < n; first += WARP) {
        static const unsigned densities[] = { 0, 8, 8, 1, 2, 4, 6, 7 };
        size_t count = n - first < WARP ? n - first : WARP;
        fill_run(pred + first, count, densities[rng_below(r, 8)], r);
    }
    for (size_t first = SECTION; first < n; first += SECTION) {
        size_t count = n - first < SECTION ? n - first : SECTION;
        unsigned kind = (unsigned)rng_below(r, 4);
        if (kind < 2)
            fill_run(pred + first, count, 8 * kind, r);
    }
    size_t mine = rng_below(r, 2);
    if (n > 1)
        pred[1 - mine] = 0;
    if (n > 0)
        pred[n > 1 ? mine : 0] = true_value(r);
}

/* Warps with no mark, with few, with many. */
static void fill_heads(int32_t *head, size_t n, rng *r)
{
    for (size_t first = 0; first < n; first += WARP) {
        static const unsigned densities[] = { 0, 1, 1, 4 };
        size_t count = n - first < WARP ? n - first : WARP;
        fill_run(head + first, count, densities[rng_below(r, 4)], r);
    }
}

static void fill_flags(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed + buffer);
    if (buffer == 0)
        fill_predicates(data, n, &r);
    else
        fill_heads(data, n, &r);
}

static void fill_small_integers(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    int32_t *value = data;
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++)
        value[i] = (int32_t)rng_between(&r, 0, LARGEST_SMALL);
    if (n > 1)
        value[1] = LARGEST_SMALL - value[0];
}

/* ---- references: one element at a time ------------------------------------------------------- */

/* Trues of [from, to). */
static int32_t trues(const int32_t *pred, size_t from, size_t to)
{
    int32_t count = 0;
    for (size_t i = from; i < to; i++)
        count += pred[i] != 0;
    return count;
}

static void count_reference(void *const *buffers, size_t n)
{
    const int32_t *pred = buffers[0];
    int32_t *count = buffers[1];

    for (size_t i = 0; i < n; i++)
        count[i] = trues(pred, i - i % WARP, run_end(i, WARP, n));
}

static void scans_reference(void *const *buffers, size_t n)
{
    const int32_t *pred = buffers[0];
    int32_t *lt = buffers[1], *le = buffers[2], *gt = buffers[3], *ge = buffers[4];

    for (size_t i = 0; i < n; i++) {
        size_t first = i - i % WARP, end = run_end(i, WARP, n);
        lt[i] = trues(pred, first, i);
        le[i] = trues(pred, first, i + 1);
        gt[i] = trues(pred, i + 1, end);
        ge[i] = trues(pred, i, end);
    }
}

static void segmented_reference(void *const *buffers, size_t n)
{
    const int32_t *pred = buffers[0], *head = buffers[1];
    int32_t *out = buffers[2];

    for (size_t i = 0; i < n; i++)
        out[i] = i % WARP == 0 || head[i] != 0 ? 0 : out[i - 1] + (pred[i - 1] != 0);
}

static void small_integers_reference(void *const *buffers, size_t n)
{
    const int32_t *value = buffers[0];
    int32_t *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % WARP == 0 ? 0 : out[i - 1] + value[i - 1];
}

static void block_reference(void *const *buffers, size_t n)
{
    const int32_t *pred = buffers[0];
    int32_t *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % SECTION == 0 ? 0 : out[i - 1] + (pred[i - 1] != 0);
}

static void vote_reference(void *const *buffers, size_t n)
{
    const int32_t *pred = buffers[0];
    int32_t *count = buffers[1], *all = buffers[2], *any = buffers[3];

    for (size_t first = 0, s = 0; first < n; first += SECTION, s++) {
        size_t end = run_end(first, SECTION, n);
        count[s] = trues(pred, first, end);
        all[s] = count[s] == (int32_t)(end - first);
        any[s] = count[s] > 0;
    }
}

#endif
