/*
 * diagnoses.h: what a wrong answer of lab 16 may come from: the output as some well-known slips
 * leave it, and what tiles may note. For inclusion by lab.c, after cases.h.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <math.h>
#include <stdlib.h>

#include "cases.h"
#include "lab.h"

typedef enum slip {
    ONLY_ONES,       /* a flag of 2 or 3 is not taken for a head */
    BELOW_128,       /* nor one of 128 or more, which is negative as a signed char */
    TRUE_BELOW_128,  /* the same of predicates */
    VALUES_ADDED,    /* predicates are added as they are, and not 1 for each */
    NO_HEADS,        /* heads are not looked at, but where a run of its own begins */
    BEFORE_HEAD,     /* exclusive: a head takes what lies before it, and not 0 */
    RUN_ALONE,       /* what a warp, section or tile takes over from the one before is missing */
    HEADED_ALONE,    /* the same, where it has a head */
    ADDED_TO_ALL,    /* it is added to all of it, not only up to its first head */
    ADDED_TO_ROWS,   /* it is added to each of its rows up to the row's own first head */
    PAST_HEADS,      /* what is taken over has gone on through heads */
    PAST_ALL,        /* the same, and it is added to all */
    FROM_LEFT,       /* backward: scanned from the left */
    HEADS_NOT_TAILS, /* backward: cut after a segment's first element, not at its last */
    OTHER_FORM       /* inclusive for exclusive, or the other way round */
} slip;

/* A scan of lab 16: what it is of, and what its answer would be after a slip. */
typedef struct scan_view {
    const lab_mismatch *m;
    size_t each; /* a new segment begins after so many */
    bool exclusive, backward, counts;
} scan_view;

static double item_of(const scan_view *v, slip kind, size_t i)
{
    if (!v->counts)
        return ((const float *)v->m->inputs[0])[i];
    const uint8_t predicate = ((const uint8_t *)v->m->inputs[0])[i];
    return kind == VALUES_ADDED     ? predicate
           : kind == TRUE_BELOW_128 ? predicate > 0 && predicate < 128
                                    : predicate != 0;
}

/* Is the element's flag taken for a head? */
static bool is_taken(const scan_view *v, slip kind, size_t i)
{
    const uint8_t flag = ((const uint8_t *)v->m->inputs[1])[i];

    if (i % v->each == 0)
        return true;
    return kind == ONLY_ONES ? flag == 1 : kind == BELOW_128 ? flag > 0 && flag < 128 : flag != 0;
}

static double got_of(const scan_view *v, size_t i)
{
    return v->m->buffer->type == LAB_I32 ? ((const int32_t *)v->m->got)[i]
                                         : ((const float *)v->m->got)[i];
}

/* Marks, in the order of the scan, where segments begin; the caller's to free. */
static bool *heads_in_order(const scan_view *v, slip kind)
{
    const size_t n = v->m->n;
    const int32_t *offset = v->m->inputs[1];
    bool *heads = calloc(n + 2, sizeof *heads);

    if (!heads)
        return NULL;
    for (size_t i = 0; !v->backward && i < n; i++)
        heads[i] = is_taken(v, kind, i);
    for (size_t s = 0; v->backward && s < offsets(n); s++) {
        const size_t e = (size_t)offset[s];
        if (kind == FROM_LEFT)
            heads[e] = true; /* of n, too: after all */
        else if (kind == HEADS_NOT_TAILS)
            heads[n - 1 - (e < n ? e : n - 1)] = true;
        else
            heads[n - e] = true;
    }
    return heads;
}

static bool any_head(const bool *heads, size_t from, size_t to)
{
    while (from < to && !heads[from])
        from++;
    return from < to;
}

/* Is every element what this slip leaves, where warps, sections or tiles of `run` take over from
   each other? */
static bool leaves(const scan_view *v, slip kind, size_t run)
{
    const size_t n = v->m->n;
    bool *heads = heads_in_order(v, kind), fits = heads != NULL, headed = false, in_row = false,
         alone = kind == RUN_ALONE;
    double open = 0;  /* since the last head */
    double own = 0;   /* the same, but not from before the run */
    double taken = 0; /* what was open where the run began */
    double past = 0;  /* the same, had no head ended it */

    for (size_t k = 0; k < n && fits; k++) {
        const size_t i = v->backward && kind != FROM_LEFT ? n - 1 - k : k;
        const bool anew = k % v->each == 0, head = heads[k] && kind != NO_HEADS;
        const double x = item_of(v, kind, i), in = v->exclusive == (kind == OTHER_FORM) ? x : 0;
        const double before = open;
        if (k % run == 0) {
            past = anew ? 0 : past + own;
            taken = anew ? 0 : open;
            own = 0;
            headed = false;
            if (kind == HEADED_ALONE)
                alone = any_head(heads, k, k + run < n ? k + run : n);
        }
        in_row = in_row && k % WARP != 0;
        if (head || anew) {
            open = own = 0;
            headed = in_row = true;
        }
        const double out = kind == BEFORE_HEAD && head && !anew ? before + in
                           : alone                              ? own + in
                           : kind == ADDED_TO_ALL               ? taken + own + in
                           : kind == ADDED_TO_ROWS ? (headed && !in_row ? taken : 0) + open + in
                           : kind == PAST_HEADS    ? (headed ? 0 : past) + own + in
                           : kind == PAST_ALL      ? past + own + in
                                                   : open + in;
        fits = got_of(v, i) == out;
        open += x;
        own += x;
    }
    free(heads);
    return fits;
}

static bool has_infinite(const scan_view *v)
{
    for (size_t i = 0; i < v->m->n; i++)
        if (isinf(item_of(v, NO_HEADS, i)))
            return true;
    return false;
}

#define INFINITE_SPOILS                                                                            \
    "an infinite element spoils what lies after the next head: no sum crosses a head. To add "     \
    "and "                                                                                         \
    "subtract again, or to multiply by 0, does not take it away"

static const char *name_slip(const scan_view *v)
{
    enum { OF_A_WARP = SEGMENTED_ROWS * WARP };

    if (!v->counts && isnan(got_of(v, v->m->index)) && has_infinite(v))
        return INFINITE_SPOILS;
    if (!v->backward && leaves(v, ONLY_ONES, WARP))
        return "a flag of 2 or 3 was not taken for a head: any byte but 0 is one";
    if (!v->backward && leaves(v, BELOW_128, WARP))
        return "flags of 128 and more were not taken for heads: a signed char has them below 0, "
               "and any byte but 0 is one";
    if (v->counts && leaves(v, TRUE_BELOW_128, WARP))
        return "predicates of 128 and more were not counted: a signed char has them below 0, and "
               "any byte but 0 is true";
    if (v->counts && leaves(v, VALUES_ADDED, WARP))
        return "the predicates themselves are added up: a true one may be any byte but 0, and "
               "counts 1";
    if (leaves(v, NO_HEADS, WARP))
        return "no head ends a sum: the scan goes on from segment to segment";
    if (v->exclusive && leaves(v, BEFORE_HEAD, WARP))
        return "an element that is a head gets the sum of the segment before it: nothing of its "
               "own segment lies before a head. Bits up to a lane have to hold the lane's own "
               "head (lanemask_le, not lanemask_lt), and a head starts from 0";
    if (leaves(v, OTHER_FORM, WARP))
        return v->exclusive ? "each element counts itself: before it means without it"
                            : "each element lacks itself: the scan is inclusive";
    if (leaves(v, RUN_ALONE, TILE))
        return "the open sum before a tile is added to none of its elements";
    if (leaves(v, HEADED_ALONE, TILE))
        return "the open sum before a tile that has a head is added to none of its elements: those "
               "in front of its first head lack it, so such a tile has to look back, too";
    if (leaves(v, RUN_ALONE, OF_A_WARP) || leaves(v, RUN_ALONE, WARP))
        return "a segment that began before the warp, or the row, starts from 0 there: the open "
               "sum before is missing";
    if (leaves(v, ADDED_TO_ALL, TILE))
        return "the open sum before a tile was added to all of it: it belongs to the elements in "
               "front of the tile's first head alone";
    if (leaves(v, ADDED_TO_ALL, OF_A_WARP) || leaves(v, ADDED_TO_ALL, WARP) ||
        leaves(v, PAST_ALL, WARP))
        return "the open sum before a warp, or a row, was added to all of it: it belongs to the "
               "elements in front of the first head alone";
    if (leaves(v, ADDED_TO_ROWS, OF_A_WARP) || leaves(v, ADDED_TO_ROWS, TILE))
        return "rows after the first head got the open sum before the warp as well, up to their "
               "own first head: once a head has come, no later row gets it";
    if (leaves(v, PAST_HEADS, TILE))
        return "look-back went on past a head: a tile with a head has to publish its PREFIX, where "
               "every look-back ends, and never an AGGREGATE";
    if (leaves(v, PAST_HEADS, OF_A_WARP) || leaves(v, PAST_HEADS, WARP))
        return "the open sum before a warp has gone on through a head of a warp before it: join "
               "the warps, do not add them";
    if (v->backward && leaves(v, FROM_LEFT, TILE))
        return "each element has the sum up to itself: backward, it has the sum from itself to the "
               "end of its segment";
    if (v->backward && leaves(v, HEADS_NOT_TAILS, TILE))
        return "segments are cut one element too late: backward, a segment's last element is "
               "its head, and that is the one before the next offset";
    return NULL;
}

static const char *section_diagnose(const lab_mismatch *m)
{
    return name_slip(&(scan_view){ m, SECTION, true, false, m->buffer->type == LAB_I32 });
}

static const char *inclusive_diagnose(const lab_mismatch *m)
{
    return name_slip(&(scan_view){ m, m->n, false, false, false });
}

static const char *rows_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    const size_t i = m->index;

    if (i % WARP == 0 && got[i] == expected[i] + in[i])
        return "the first lane has its element twice: where no lane is so far to the left, "
               "__shfl_up_sync gives a lane its own value, and that is not to be added";
    return name_slip(&(scan_view){ m, (size_t)SEGMENTED_ROWS * WARP, false, false, false });
}

static const char *backward_diagnose(const lab_mismatch *m)
{
    return name_slip(&(scan_view){ m, m->n, false, true, false });
}

static const char *distribute_diagnose(const lab_mismatch *m)
{
    const uint32_t *in = m->inputs[0], *got = m->got, *expected = m->expected; /* bits */
    bool heads_only = true, copied = true, in_section = true;

    for (size_t i = 0; i < m->n; i++) {
        const bool wrong = got[i] != expected[i], head = is_head(m->inputs[1], i, SECTION);
        const bool before = i > 0 && got[i] == expected[i - 1];
        heads_only = heads_only && (!wrong || (head && before));
        copied = copied && got[i] == in[i];
        in_section = in_section && (!wrong || expected[i] == in[i - i % SECTION]);
    }
    if (copied)
        return "every element keeps its own value: only heads hand theirs on";
    if (heads_only)
        return "a head takes the value of the segment before it: its own bit belongs to the lanes "
               "up to it (lanemask_le, not lanemask_lt)";
    if (in_section)
        return "wrong only in the segments at the front of a section: its first element is a head, "
               "whatever its flag says";
    return NULL;
}

static const char *sums_diagnose(const lab_mismatch *m)
{
    const int32_t *offset = m->inputs[1];
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    bool empty = true, unopened = true;

    for (size_t s = 0; s < m->length; s++) {
        const int64_t at = offset[s + 1] + (int64_t)s; /* of its end among elements and ends */
        const int64_t first = at / TILE * TILE;        /* item at which the share begins */
        size_t ends = s;                               /* before it */
        float since = 0;
        if (got[s] == expected[s])
            continue;
        empty = empty && offset[s] == offset[s + 1];
        while (ends > 0 && offset[ends] + (int64_t)ends - 1 >= first)
            ends--;
        for (int64_t i = first - (int64_t)ends; i < offset[s + 1]; i++)
            since = i < offset[s] ? 0 : since + in[i];
        unopened = unopened && offset[s] < first - (int64_t)ends && got[s] == since;
    }
    if (isnan(got[m->index]))
        for (size_t i = 0; i < m->n; i++)
            if (isinf(in[i]))
                return INFINITE_SPOILS;
    if (empty)
        return "wrong only where a segment is empty: its sum is 0, and it has to be written";
    if (unopened)
        return "wrong only in segments that began before the share in which they end: what was "
               "open there is missing";
    return NULL;
}

static const char *join_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;
    const size_t k = m->index, next = k + 1 < m->n ? k + 1 : 0;

    if (m->buffer->type == LAB_I32)
        return "the joint stretch has a head if either of the two has one";
    if (got[k] == in[k] + in[next])
        return "a head in the right stretch cuts off all that lies left of it: the left sum goes "
               "nowhere";
    return got[k] == in[next]
               ? "without a head in the right stretch the left sum goes on through it"
               : NULL;
}

static const char *start_diagnose(const lab_mismatch *m)
{
    const uint32_t *heads = m->inputs[0];
    const int32_t *got = m->got;
    const int lane = (int)(m->index % WARP);

    if (heads[m->index] >> lane & 1)
        return got[m->index] != lane ? "a lane that is a head itself begins its segment: the mask "
                                       "has to keep its own bit (lanemask_le, not lanemask_lt)"
                                     : NULL;
    return got[m->index] > lane ? "a head to the right of the lane was found: keep the bits up to "
                                  "the lane only"
                                : NULL;
}

static const char *split_diagnose(const lab_mismatch *m)
{
    const int32_t got = ((const int32_t *)m->got)[m->index],
                  expected = ((const int32_t *)m->expected)[m->index];
    const int32_t *offset = m->inputs[0];
    const int64_t at = ((const int64_t *)m->inputs[1])[m->index];

    if (got == expected + 1 && offset[expected + 1] + (int64_t)expected == at)
        return "an end that stands at item `at` is not before it: below, and not up to";
    return NULL;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static bool has_head(const lab_noted *d, size_t tile)
{
    const uint8_t *heads = d->inputs[1];
    const size_t end = (tile + 1) * TILE < d->n ? (tile + 1) * TILE : d->n;

    for (size_t i = tile * TILE; i < end; i++)
        if (heads[i])
            return true;
    return false;
}

/* How far back tiles looked: what d_depth cannot be. */
static const char *depth_fault(lab_noted *d)
{
    enum { MANY = 16 };
    const uint8_t *heads = d->inputs[1];
    const char *fault = NULL;
    uint64_t *chain = calloc(d->length + 1, sizeof *chain);
    size_t nearest = 0; /* tile before this one that has a head, or tile 0 */

    for (size_t t = 0; t < d->length && chain && !fault && d->launches <= 1; t++) {
        const int32_t depth = d->value[t];
        d->index = t;
        if (t > 0 && has_head(d, t - 1))
            nearest = t - 1;
        if (depth == d->unwritten)
            fault = "each tile notes how many tiles back the prefix was that ended its look-back";
        else if (depth < 0 || (size_t)depth > t)
            fault = "there is no tile that far back: the depth is the tile's number less that of "
                    "the tile whose prefix ended the look-back";
        else if (t > 0 && depth == 0 && !heads[t * TILE])
            fault = "only tile 0, and a tile that begins with a head, need not look back: if the "
                    "prefix of tile t was taken, the depth is the tile's number less t";
        else if (t > 0 && (size_t)depth > t - nearest)
            fault =
                "a tile nearer than that has a head, and knows its prefix without looking back: "
                "it publishes PREFIX at once, and every look-back ends there";
        else if (d->resident && !d->late && (unsigned)depth > d->resident)
            fault = "no look-back goes further than blocks are resident, since tiles whose blocks "
                    "have ended have left a prefix";
        else if (depth > 0 && d->chain_exact && lab_not_observed(d, t) &&
                 !has_head(d, t - (size_t)depth))
            fault =
                "the run was different: this tile never saw a prefix at the tile that d_depth "
                "names. Note how far back the prefix was that ended the look-back, counted over "
                "all windows";
        else if (depth > 0)
            chain[t] = 1 + (has_head(d, t - (size_t)depth) ? 0 : chain[t - (size_t)depth]);
        /* blocks that stay do not wait for themselves: with many resident, those are few */
        const bool known = d->chain_known && d->chain > 0 && d->resident >= MANY;
        if (!fault &&
            ((d->chain_exact && chain[t] > d->chain) || (known && chain[t] > 2 * d->chain + MANY)))
            fault = "the run was different: if all tiles had found their prefix where d_depth "
                    "says, more blocks would have waited for each other than did";
    }
    free(chain);
    return fault;
}

#endif
