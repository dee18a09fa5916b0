/*
 * diagnoses.h: what a wrong answer of lab 14 may come from. For inclusion by lab.c, after cases.h.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum { FAR_SKIP = 3 }; /* of launches.h, try_far */

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

    if (m->n == 0 && (got & 0xff) == 0 && (uint32_t)got != 0)
        return "only the first bytes of d_count are 0: it is a long long, so clear sizeof *d_count "
               "bytes";
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
    if (got == expected - in_last + (int64_t)(m->n - last) && got != expected)
        return "d_count counts all elements that the last tile has, and not only those that it "
               "keeps: what it adds to those before is `kept`";
    for (size_t to = last + WARP_ELEMENTS; to < m->n; to += WARP_ELEMENTS)
        if (got != expected && got == expected - in_last + kept_in(m, type, last, to))
            return "d_count lacks what the later warps of the last tile keep: what it adds to "
                   "those before is `kept`, the tile's count, not that of one warp";
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

static bool always(uint64_t bits)
{
    (void)bits;
    return true;
}

#define EVERY_KEPT                                                                                 \
    "every element was kept: a flag is to be set only where is_kept says so, and the array has "   \
    "an element"
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
        { LAB_I32, always, EVERY_KEPT },
        { LAB_F32, always, EVERY_KEPT },
        { LAB_I64, always, EVERY_KEPT },
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

/* How many elements of [from, to) go to this side. */
static size_t on_side(const lab_mismatch *m, lab_type type, bool rest, size_t from, size_t to)
{
    const size_t end = at_most(m->n, to), kept = (size_t)kept_in(m, type, from, to);

    return end <= from ? 0 : rest ? end - from - kept : kept;
}

/* Does what the second tile has of this side stand where the tile begins, at TILE and on? */
static bool begins_with_tile(const lab_mismatch *m, lab_type type, bool rest)
{
    const size_t in_first = on_side(m, type, rest, 0, TILE),
                 in_second = on_side(m, type, rest, TILE, 2 * TILE);
    bool same = in_second > 0 && m->index >= in_first;

    for (size_t k = 0; k < in_second && same; k++)
        same = element(type, m->got, TILE + k) == element(type, m->expected, in_first + k);
    return same && in_first < TILE;
}

/* Does d_rest begin with what the first tile keeps, as far as that goes? */
static bool rest_is_kept(const lab_mismatch *m, lab_type type)
{
    const size_t others = on_side(m, type, true, 0, TILE);
    size_t k = 0;

    for (size_t i = 0; i < at_most(m->n, TILE) && k < others; i++)
        if (is_kept(type, element(type, m->inputs[0], i)) &&
            element(type, m->got, k++) != element(type, m->inputs[0], i))
            return false;
    return k > 0 && m->index < k;
}

/* Is d_out what the first tile has if each thread keeps its last row's element alone? */
static bool only_last_rows(const lab_mismatch *m, lab_type type)
{
    const size_t end = at_most(m->n, TILE), all = on_side(m, type, false, 0, TILE);
    size_t k = 0;

    for (size_t i = 0; i < end; i++) {
        bool last = is_kept(type, element(type, m->inputs[0], i));
        for (size_t later = i + LANES;
             later < at_most(end, (i / WARP_ELEMENTS + 1) * WARP_ELEMENTS); later += LANES)
            last = last && !is_kept(type, element(type, m->inputs[0], later));
        if (last && element(type, m->got, k++) != element(type, m->inputs[0], i))
            return false;
    }
    return k > 0 && k < all;
}

/* Is what is wrong of the first tile's run in place, but for stores that are missing: of every 256
   elements those from 32 on? What is missing is all alike. */
static bool stored_by_a_warp(const lab_mismatch *m, lab_type type, bool rest)
{
    const size_t run = on_side(m, type, rest, 0, TILE);
    const uint64_t missing = m->index < run ? element(type, m->got, m->index) : 0;
    size_t stored = 0;

    for (size_t k = 0; k < run; k++) {
        const bool right = element(type, m->got, k) == element(type, m->expected, k);
        if (right != (k % COMPACTION_THREADS < LANES))
            return false;
        if (!right && element(type, m->got, k) != missing)
            return false;
        stored += right;
    }
    return m->index < run && stored > LANES; /* in the second 256, too */
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
    if (stored_by_a_warp(m, type, rest))
        return "of every 256 elements of a tile's run only the first 32 were stored: store_run is "
               "for the whole block, and shares the run out among its threads. Let all of them "
               "call it, with the same at, skip and count; not one warp, nor each for its own part";
    if (!rest && only_last_rows(m, type))
        return "of each thread only the element of its last row that is kept was stored: does "
               "flags lose the bits of the rows before? Set each with |=";
    if (!rest && begins_with_tile(m, type, rest))
        return "a tile's kept elements were stored from its own first index on: what is not kept "
               "before it leaves no gap in d_out. They begin at s_before, what all tiles before "
               "keep";
    if (rest && rest_is_kept(m, type))
        return "d_rest has the tile's kept elements: the others stand after them in s_item, so "
               "their run skips `kept`";
    if (rest && begins_with_tile(m, type, rest))
        return "a tile's others were stored from its own first index on: some elements before it "
               "are kept, and leave no gap in d_rest. So they begin that many places earlier";
    if (m->index >= count)
        return rest ? "d_rest was written past its last element"
                    : "d_out was written past the count: only the tile's kept elements are to be "
                      "stored, and none of a tile that keeps none";
    if (count > 1 && is_reordered(m, count, count))
        return "the right elements in the wrong order: it has to be that of the input. Ranks count "
               "the elements to the left; a number from an atomicAdd says who came first";
    return NULL;
}

/* ---- ranks, and a run alone ------------------------------------------------------------------ */

static int flags_in(const lab_mismatch *m, size_t from, size_t to)
{
    int count = 0;

    for (size_t i = from; i < to && i < m->n; i++)
        count += ((const int32_t *)m->inputs[IN])[i] != 0;
    return count;
}

static size_t row_of(size_t i) { return i / LANES * LANES; }
static size_t warp_of(size_t i) { return i / WARP_ELEMENTS * WARP_ELEMENTS; }
static int rows_before(const lab_mismatch *m, size_t i)
{
    return flags_in(m, warp_of(i), row_of(i));
}

/* How many flags the thread of element i has in its rows. */
static int flags_of_lane(const lab_mismatch *m, size_t warp, size_t lane)
{
    int count = 0;

    for (size_t i = warp + lane; i < warp + WARP_ELEMENTS; i += LANES)
        count += flags_in(m, i, i + 1);
    return count;
}

/* Of the first lanes of i's warp: how many have any flag. */
static int lanes_with_flags(const lab_mismatch *m, size_t warp, size_t lanes)
{
    int count = 0;

    for (size_t lane = 0; lane < lanes; lane++)
        count += flags_of_lane(m, warp, lane) > 0;
    return count;
}

static int whole_ballot(const lab_mismatch *m, size_t i)
{
    return rows_before(m, i) + flags_in(m, row_of(i), row_of(i) + LANES);
}
static int lanes_after(const lab_mismatch *m, size_t i)
{
    return rows_before(m, i) + flags_in(m, i, row_of(i) + LANES);
}
static int lanes_above(const lab_mismatch *m, size_t i)
{
    return rows_before(m, i) + flags_in(m, i + 1, row_of(i) + LANES);
}
static int itself(const lab_mismatch *m, size_t i) { return flags_in(m, warp_of(i), i + 1); }
static int only_row(const lab_mismatch *m, size_t i) { return flags_in(m, row_of(i), i); }
/* The bits below lane `lanes` of i's row. */
static int below(const lab_mismatch *m, size_t i, size_t lanes)
{
    return flags_in(m, row_of(i), row_of(i) + lanes);
}
static int row_added_first(const lab_mismatch *m, size_t i)
{
    return whole_ballot(m, i) + below(m, i, i % LANES);
}
static int one_less(const lab_mismatch *m, size_t i) { return flags_in(m, warp_of(i), i) - 1; }
static int all_lanes_before(const lab_mismatch *m, size_t i)
{
    return rows_before(m, i) + (int)(i % LANES);
}
/* The number of the warp in its block, taken for the lane's. */
static int below_the_warp(const lab_mismatch *m, size_t i)
{
    return rows_before(m, i) + below(m, i, i % TILE / WARP_ELEMENTS);
}
static int first_bit(const lab_mismatch *m, size_t i)
{
    for (size_t lane = 0; lane < i % LANES; lane++)
        if (below(m, i, lane + 1) > 0)
            return rows_before(m, i) + (int)lane + 1;
    return rows_before(m, i);
}
static int own_rows_before(const lab_mismatch *m, size_t i)
{
    int count = below(m, i, i % LANES);

    for (size_t k = warp_of(i) + i % LANES; k < row_of(i); k += LANES)
        count += flags_in(m, k, k + 1);
    return count;
}
static int row_0_alone(const lab_mismatch *m, size_t i)
{
    return flags_in(m, warp_of(i), at_most(i, warp_of(i) + LANES));
}
/* Of the first lanes of a row: how many have a flag in it, or in a row after it. */
static int from_row_on(const lab_mismatch *m, size_t row, size_t lanes)
{
    const size_t end = warp_of(row) + WARP_ELEMENTS;
    int count = 0;

    for (size_t lane = 0; lane < lanes; lane++) {
        int has = 0;
        for (size_t k = row + lane; k < end; k += LANES)
            has |= flags_in(m, k, k + 1);
        count += has;
    }
    return count;
}
static int later_rows_too(const lab_mismatch *m, size_t i)
{
    int count = from_row_on(m, row_of(i), i % LANES);

    for (size_t row = warp_of(i); row < row_of(i); row += LANES)
        count += from_row_on(m, row, LANES);
    return count;
}
static int any_row(const lab_mismatch *m, size_t i)
{
    return (int)((i - warp_of(i)) / LANES) * lanes_with_flags(m, warp_of(i), LANES) +
           lanes_with_flags(m, warp_of(i), i % LANES);
}

/* Of what is returned: i is a thread's number among all. */
static size_t warp_of_thread(size_t i) { return i / LANES * WARP_ELEMENTS; }
static int own_flags(const lab_mismatch *m, size_t i)
{
    return flags_of_lane(m, warp_of_thread(i), i % LANES);
}
static int last_row(const lab_mismatch *m, size_t i)
{
    const size_t end = warp_of_thread(i) + WARP_ELEMENTS;
    return flags_in(m, end - LANES, end);
}
static int no_flags(const lab_mismatch *m, size_t i)
{
    (void)m;
    (void)i;
    return 0;
}
static int rank_in_last_row(const lab_mismatch *m, size_t i)
{
    const size_t warp = warp_of_thread(i);
    return flags_in(m, warp, warp + WARP_ELEMENTS - LANES + i % LANES);
}
static int last_rank(const lab_mismatch *m, size_t i)
{
    return flags_in(m, warp_of_thread(i), warp_of_thread(i) + WARP_ELEMENTS - 1);
}
static int all_rows_alike(const lab_mismatch *m, size_t i)
{
    return WARP_ELEMENTS / LANES * lanes_with_flags(m, warp_of_thread(i), LANES);
}

#define ROW_BIT                                                                                    \
    "each row's ballot has asked whether flags is 0, so the lanes vote the same in all rows: "     \
    "vote "                                                                                        \
    "with the row's own bit"

#define ROW_LACKING                                                                                \
    "of the lane's own row the bits below its own are not counted, or are those below another "    \
    "number: a lane is threadIdx.x % 32, and the rank is what the rows before keep and popc of "   \
    "the ballot's bits below that lane"
#define LAST_ROW                                                                                   \
    "the last row's count is returned, or 0: return the sum of all rows' counts, the same to all " \
    "lanes"
#define LAST_RANK                                                                                  \
    "the rank of an element of the last row is returned, which counts only what stands before "    \
    "it: return the sum of all rows' counts, the same to all lanes"

typedef struct rank_rule {
    int (*gives)(const lab_mismatch *m, size_t i);
    const char *text; /* null: the common causes say it */
} rank_rule;

static const char *ranks_diagnose(const lab_mismatch *m)
{
    static const rank_rule of_ranks[] = {
        { whole_ballot, "popc has counted the row's whole ballot: of the lane's own row only the "
                        "bits below its own bit count" },
        { lanes_after, "popc has counted the bits from the lane's own on: those below it count" },
        { lanes_above, "popc has counted the bits above the lane's own: those below it count" },
        { any_row, ROW_BIT },
        { later_rows_too, "a row's ballot has asked whether flags >> row is 0, and that has the "
                          "bits of all later rows, too: vote with its lowest bit alone, by & 1" },
        { row_added_first, "the row's own votes were added before its ranks were taken: a rank is "
                           "what the rows before keep, and the bits below the lane's own" },
        { one_less, "each rank is one too low: it is the number of kept elements before, so "
                    "nothing is to be taken off" },
        { all_lanes_before, "all lanes before were counted in a row, also those that do not keep "
                            "theirs: count the bits of the row's ballot below the lane's own" },
        { below_the_warp, ROW_LACKING },
        { rows_before, ROW_LACKING },
        { first_bit, "__ffs finds the first bit that is set: __popc counts them" },
        { own_rows_before, "of the rows before only the lane's own elements were counted: all "
                           "lanes' count, so add popc of each row's whole ballot" },
        { row_0_alone, "only row 0 has votes: (flags & 1u << row) == 1 holds in no other row. Ask "
                       "whether it is 0" },
        { itself,
          "each rank counts its own element, too: it is how many kept ones stand before it, "
          "so of the lane's own row only the bits below its own count" },
        { only_row, NULL },
    };
    static const rank_rule of_kept[] = {
        { own_flags, "each lane has returned how many of its own elements are kept: return the sum "
                     "of all rows' ballots, the same to all lanes" },
        { last_row, LAST_ROW },
        { no_flags, LAST_ROW },
        { rank_in_last_row, LAST_RANK },
        { last_rank, LAST_RANK },
        { all_rows_alike, ROW_BIT },
    };
    const bool kept = strcmp(m->buffer->name, "d_kept") == 0;
    const rank_rule *rules = kept ? of_kept : of_ranks, *found = NULL;
    const size_t count = kept ? sizeof of_kept / sizeof *of_kept : sizeof of_ranks / sizeof *rules;

    for (size_t k = 0; k < count; k++) {
        bool same = true;
        for (size_t i = 0; i < m->length && same; i++)
            same = ((const int32_t *)m->got)[i] == rules[k].gives(m, i);
        if (same && found && found->text != rules[k].text)
            return NULL; /* so few elements do not tell */
        found = same ? &rules[k] : found;
    }
    return found ? found->text : NULL;
}

/* Of runs, of which each block stores one: is element j of run k wrong where `wrong` says so, and
   right elsewhere? Of a single run, or where nothing is right, this may be chance. */
static bool wrong_in_runs(const lab_mismatch *m, bool (*wrong)(size_t k, size_t j))
{
    for (size_t i = 0; i < m->length; i++) {
        const bool right = ((const int32_t *)m->got)[i] == ((const int32_t *)m->expected)[i];
        if (right == wrong(i / COMPACTION_FAR_RUN, i % COMPACTION_FAR_RUN))
            return false;
    }
    return m->wrong < m->length;
}

static bool before_the_block(size_t k, size_t j) { return j < k * COMPACTION_THREADS; }
static bool after_a_block(size_t k, size_t j)
{
    (void)k;
    return j >= COMPACTION_THREADS;
}
static bool of_later_warps(size_t k, size_t j)
{
    (void)k;
    return j % COMPACTION_THREADS >= LANES;
}

/* Do runs hold what s_item has at the place's own number, but not at the first `least` places? */
static bool taken_from_0(const lab_mismatch *m, size_t least)
{
    for (size_t i = 0; i < m->length; i++)
        if (i % COMPACTION_FAR_RUN >= least &&
            ((const int32_t *)m->got)[i] != ((const int32_t *)m->expected)[i] - FAR_SKIP)
            return false;
    return m->length > 0;
}

static const char *far_diagnose(const lab_mismatch *m)
{
    static const char in_steps[] =
        "only some of each run's elements were stored: a thread begins at threadIdx.x, and goes on "
        "by THREADS, for i < count";

    if (taken_from_0(m, 0))
        return "the run was taken from s_item[0] on: it begins at s_item[skip]";
    if (taken_from_0(m, FAR_SKIP))
        return "s_item[i] has gone to d_out[at + i], from i = skip on: i counts the run's "
               "elements, from 0, and element i comes from s_item[skip + i]";
    if (wrong_in_runs(m, after_a_block) || wrong_in_runs(m, of_later_warps))
        return in_steps;
    if (wrong_in_runs(m, before_the_block))
        return "each block has a run of its own, and block 0 alone has stored all of it: a thread "
               "begins at threadIdx.x, in every block, and goes on by THREADS, for i < count";
    return NULL;
}

static const char *kept_i32_diagnose(const lab_mismatch *m) { return kept_diagnose(m, LAB_I32); }
static const char *kept_f32_diagnose(const lab_mismatch *m) { return kept_diagnose(m, LAB_F32); }
static const char *kept_i64_diagnose(const lab_mismatch *m) { return kept_diagnose(m, LAB_I64); }

#endif
