/*
 * diagnoses.h: what a wrong answer of lab 08 may come from: what well-known slips leave. For
 * inclusion by lab.c, after cases.h.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <string.h>

#include "cases.h"

/* Element i under one slip, from the bits of its warp: bit k is the warp's element k. */
typedef struct view {
    const int32_t *pred, *head;
    size_t n, i;
    uint32_t bits, heads; /* of i's warp */
    unsigned lane;
    uint32_t lt, le, gt, ge; /* i's masks */
} view;

typedef struct slip {
    int64_t (*predict)(const view *);
    const char *cause;
} slip;

static int64_t popc(uint32_t x) { return __builtin_popcount(x); }

static uint32_t warp_bits(const int32_t *data, size_t i, size_t n)
{
    uint32_t bits = 0;
    for (size_t k = i - i % WARP; k < run_end(i, WARP, n); k++)
        bits |= (uint32_t)(data[k] != 0) << k % WARP;
    return bits;
}

/* The first slip that explains every element, else null. */
static const char *find_slip(const lab_mismatch *m, const slip *slips, size_t count, bool has_heads)
{
    const int32_t *got = m->got;
    view v = { .pred = m->inputs[0], .head = has_heads ? m->inputs[1] : NULL, .n = m->n };
    bool fits[16];
    size_t left = count;

    memset(fits, true, sizeof fits);
    for (size_t i = 0; i < m->n && left > 0; i++) {
        if (i % WARP == 0) {
            v.bits = warp_bits(v.pred, i, v.n);
            v.heads = has_heads ? warp_bits(v.head, i, v.n) : 0;
        }
        v.i = i;
        v.lane = (unsigned)(i % WARP);
        v.lt = (1u << v.lane) - 1;
        v.le = v.lt | 1u << v.lane;
        v.gt = ~v.le;
        v.ge = ~v.lt;
        for (size_t s = 0; s < count; s++)
            if (fits[s] && slips[s].predict(&v) != got[i]) {
                fits[s] = false;
                left--;
            }
    }
    for (size_t s = 0; s < count; s++)
        if (fits[s])
            return slips[s].cause;
    return NULL;
}

#define SLIPS(table) table, sizeof table / sizeof table[0]

static int64_t whole_warp(const view *v) { return popc(v->bits); }
static int64_t ballot_itself(const view *v) { return (int32_t)v->bits; }
static int64_t lt_count(const view *v) { return popc(v->bits & v->lt); }
static int64_t le_count(const view *v) { return popc(v->bits & v->le); }
static int64_t gt_count(const view *v) { return popc(v->bits & v->gt); }
static int64_t ge_count(const view *v) { return popc(v->bits & v->ge); }
static int64_t only_where_true(const view *v) { return v->bits >> v->lane & 1 ? popc(v->bits) : 0; }
static int64_t own_bits(const view *v) { return popc((uint32_t)v->pred[v->i]); }

/* Values that are taken for true. */
static bool is_positive(int32_t x) { return x > 0; }
static bool is_not_the_least(int32_t x) { return x != 0 && x != INT32_MIN; }
static bool has_low_byte(int32_t x) { return (x & 255) != 0; }
static bool has_low_word(int32_t x) { return (x & 0xffff) != 0; }
static bool has_low_bit(int32_t x) { return x & 1; }
static bool is_not_zero(int32_t x) { return x != 0; }

static int64_t count_of(const view *v, bool (*is_true)(int32_t))
{
    int64_t count = 0;
    for (size_t k = v->i - v->lane; k < run_end(v->i, WARP, v->n); k++)
        count += is_true(v->pred[k]);
    return count;
}

static int64_t positives(const view *v) { return count_of(v, is_positive); }
static int64_t without_the_least(const view *v) { return count_of(v, is_not_the_least); }
static int64_t low_bytes(const view *v) { return count_of(v, has_low_byte); }
static int64_t low_words(const view *v) { return count_of(v, has_low_word); }
static int64_t low_bits(const view *v) { return count_of(v, has_low_bit); }

/* The predicates themselves, added up as 32 bits have it. */
static int64_t values_added(const view *v)
{
    uint32_t sum = 0;
    for (size_t k = v->i - v->lane; k < run_end(v->i, WARP, v->n); k++)
        sum += (uint32_t)v->pred[k];
    return (int32_t)sum;
}

/* What a sum of the warp's trues by __shfl_down_sync leaves in the lane: from outside the warp
   comes the lane's own sum. */
static int64_t shuffled_down(const view *v)
{
    int64_t sum[WARP];
    for (unsigned l = 0; l < WARP; l++)
        sum[l] = v->bits >> l & 1;
    for (unsigned distance = WARP / 2; distance > 0; distance /= 2)
        for (unsigned l = 0; l < WARP; l++)
            sum[l] += sum[l + distance < WARP ? l + distance : l];
    return sum[v->lane];
}

/* What is predicted by counting positive elements alone. Where none is there, 0 may have come out
   for another reason. */
static const char *negatives_are_true(const lab_mismatch *m)
{
    const int32_t *got = m->got;
    for (size_t i = 0; i < m->length; i++)
        if (got[i] != 0)
            return "negative elements are taken for false: they are not 0, so they are true";
    return "every element is 0. Of the input, what is not 0 here is negative: is it taken for "
           "false? Only 0 is false, so negative elements are true";
}

/* Are these the counts of the positive elements, within runs of that length, before each element or
   up to it? */
static bool counts_positives(const lab_mismatch *m, size_t run, bool with_own)
{
    const int32_t *pred = m->inputs[0], *got = m->got;
    int32_t before = 0;
    for (size_t i = 0; i < m->n; i++) {
        before = i % run ? before : 0;
        const int32_t after = before + is_positive(pred[i]);
        if (got[i] != (with_own ? after : before))
            return false;
        before = after;
    }
    return true;
}

static const char *count_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { ballot_itself,
          "the output is the ballot itself, one bit a lane: count its bits with __popc" },
        { lt_count,
          "each lane counts only the lanes before it: the count of the whole warp takes no mask" },
        { le_count, "each lane counts only the lanes up to itself: the count of the whole warp "
                    "takes no mask" },
        { only_where_true, "lanes whose predicate is false got 0: every lane of the warp must take "
                           "part in the ballot, the false ones too. __activemask() names only the "
                           "lanes that happen to run this branch together" },
        { positives, "negative elements are not counted: true is what differs from 0" },
        { without_the_least, "the least int is not counted: 0 less itself is itself again, and "
                             "below 0. True is what differs from 0" },
        { low_bytes, "elements whose lower 8 bits are 0, such as 256, are not counted: true is "
                     "what differs from 0, in any of its 32 bits" },
        { low_words, "elements whose lower 16 bits are 0, such as 65536, are not counted, as if a "
                     "short had kept them: true is what differs from 0, in any of its 32 bits" },
        { low_bits, "even elements are not counted: true is what differs from 0" },
        { values_added, "the elements themselves are added up: a true one may be any number but "
                        "0, and counts 1" },
        { shuffled_down, "lane 0 alone has the sum of its warp, as __shfl_down_sync leaves it: a "
                         "ballot shows all lanes the bits of all" },
        { own_bits, "each lane counts the bits of its own element: the predicates of the warp must "
                    "come together in a ballot first" },
    };
    return find_slip(m, SLIPS(slips), false);
}

static bool wrong_only_in_lane(const lab_mismatch *m, size_t lane)
{
    const int32_t *expected = m->expected, *got = m->got;

    for (size_t i = 0; i < m->length; i++)
        if (i % WARP != lane && got[i] != expected[i])
            return false;
    return m->length > WARP;
}

static const char *scans_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { lt_count, "this output holds the counts of the lanes before (mask lt)" },
        { le_count,
          "this output holds the counts of the lanes up to and with the own one (mask le)" },
        { gt_count, "this output holds the counts of the lanes after (mask gt)" },
        { ge_count, "this output holds the counts of the lanes from the own one on (mask ge)" },
        { whole_warp, "every lane counts the whole warp: the mask is all ones. If it comes from a "
                      "shift, mind the type: a signed -1 shifted right stays -1" },
    };
    const char *cause = find_slip(m, SLIPS(slips), false);

    if (!cause && (counts_positives(m, WARP, false) || counts_positives(m, WARP, true)))
        return negatives_are_true(m);
    if (!cause && wrong_only_in_lane(m, WARP - 1))
        return "only lane 31 is wrong: look at its shift count. lane + 1 is 32 there, and taken "
               "modulo 32 that shifts by 0: the mask becomes all ones instead of none. Shift by at "
               "most 31, and complement the mask";
    if (!cause && wrong_only_in_lane(m, 0))
        return "only lane 0 is wrong: look at its shift count. 32 - lane is 32 there, and taken "
               "modulo 32 that shifts by 0: the mask becomes all ones instead of none. Shift by at "
               "most 31, and complement the mask";
    return cause;
}

/* The highest lane of a set that is not empty. */
static unsigned highest(uint32_t set) { return WARP - 1 - (unsigned)__builtin_clz(set); }

static int64_t head_taken_late(const view *v)
{
    uint32_t before = (v->heads | 1) & v->lt;
    return before ? popc(v->bits & v->lt & ~0u << highest(before)) : 0;
}

static int64_t warp_start_no_head(const view *v)
{
    uint32_t heads = v->heads & v->le;
    return heads ? popc(v->bits & v->lt & ~0u << highest(heads)) : 0;
}

static int64_t segmented_inclusive(const view *v)
{
    return popc(v->bits & v->le & ~0u << highest((v->heads | 1) & v->le));
}
static int64_t head_left_out(const view *v)
{
    return popc(v->bits & v->lt & ~1u << highest((v->heads | 1) & v->le));
}
static int64_t later_heads(const view *v)
{
    return popc(v->bits & v->lt & ~0u << highest(v->heads | 1));
}
static int64_t first_head(const view *v)
{
    const uint32_t heads = v->heads & v->le;
    return heads ? popc(v->bits & v->lt & ~0u << __builtin_ctz(heads)) : lt_count(v);
}
/* With other ideas of what is true, and of what is a head. */
static int64_t segmented_of(const view *v, bool (*is_true)(int32_t), bool (*is_a_head)(int32_t))
{
    int64_t count = 0;
    for (size_t k = v->i - v->lane; k < v->i; k++)
        count = (is_a_head(v->head[k]) ? 0 : count) + is_true(v->pred[k]);
    return is_a_head(v->head[v->i]) ? 0 : count;
}

static int64_t positive_trues(const view *v) { return segmented_of(v, is_positive, is_not_zero); }
static int64_t word_trues(const view *v) { return segmented_of(v, has_low_word, is_not_zero); }
static int64_t byte_trues(const view *v) { return segmented_of(v, has_low_byte, is_not_zero); }
static int64_t positive_heads(const view *v) { return segmented_of(v, is_not_zero, is_positive); }
static int64_t word_heads(const view *v) { return segmented_of(v, is_not_zero, has_low_word); }
static int64_t byte_heads(const view *v) { return segmented_of(v, is_not_zero, has_low_byte); }

static int64_t from_clz(const view *v)
{
    return popc(v->bits & v->lt & ~0u << __builtin_clz((v->heads | 1) & v->le));
}

static const char *segmented_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { lt_count, "heads change nothing: each count runs on from the start of the warp. Or the "
                    "lowest head is taken (__ffs), which is lane 0: it has to be the highest one "
                    "at or before the lane (__clz)" },
        { segmented_inclusive,
          "inclusive where exclusive is asked for: each lane also counts itself" },
        { warp_start_no_head, "lanes before the first marked head get 0: a warp's first element "
                              "begins a segment, marked or not. With no head at or before it a "
                              "lane shifts by 31 - __clz(0), which is -1" },
        { head_taken_late, "each head still counts the segment before it: a head at the lane "
                           "itself begins its segment (mask le for heads, lt for counting)" },
        { head_left_out, "the head's own element is left out: the segment's lanes begin at its "
                         "head, not after it" },
        { later_heads, "each lane takes the last head of the whole warp: heads after the lane must "
                       "be masked off first" },
        { first_head,
          "each lane takes the first head of its warp, not the nearest one at or before itself" },
        { from_clz, "__clz counts from the top: the nearest head is at lane 31 - __clz(heads at or "
                    "before the lane)" },
        { positive_trues, "negative predicates are not counted: true is what differs from 0" },
        { positive_heads, "negative flags are not taken for heads: any number but 0 marks one" },
        { word_trues, "predicates whose lower 16 bits are 0 are not counted, as if a short had "
                      "kept them: true is what differs from 0, in any of its 32 bits" },
        { word_heads, "flags whose lower 16 bits are 0 are not taken for heads, as if a short had "
                      "kept them: any number but 0 marks one" },
        { byte_trues, "predicates whose lower 8 bits are 0, such as 256, are not counted: true is "
                      "what differs from 0, in any of its 32 bits" },
        { byte_heads, "flags whose lower 8 bits are 0, such as 256, are not taken for heads: any "
                      "number but 0 marks one" },
    };
    return find_slip(m, SLIPS(slips), true);
}

/* The sum of what take makes of the values before i in its warp, or up to i. */
static int64_t sum_before(const view *v, int32_t (*take)(int32_t), size_t end)
{
    int64_t sum = 0;
    for (size_t k = v->i - v->lane; k < end; k++)
        sum += take(v->pred[k]);
    return sum;
}

static int32_t as_it_is(int32_t x) { return x; }
static int32_t bits_set(int32_t x) { return __builtin_popcount((uint32_t)x); }
static int32_t not_zero(int32_t x) { return x != 0; }
static int32_t lowest_bit(int32_t x) { return x & 1; }
static int32_t not_top(int32_t x) { return x & LARGEST_SMALL >> 1; }
static int32_t twice(int32_t x) { return 2 * x; }
static int32_t each_as_bit(int32_t x) { return x ? LARGEST_SMALL : 0; }

static int64_t small_inclusive(const view *v) { return sum_before(v, as_it_is, v->i + 1); }
static int64_t small_unweighted(const view *v) { return sum_before(v, bits_set, v->i); }
static int64_t small_predicate(const view *v) { return sum_before(v, not_zero, v->i); }
static int64_t small_lowest(const view *v) { return sum_before(v, lowest_bit, v->i); }
static int64_t small_not_top(const view *v) { return sum_before(v, not_top, v->i); }
static int64_t small_twice(const view *v) { return sum_before(v, twice, v->i); }
static int64_t small_whole(const view *v) { return sum_before(v, each_as_bit, v->i); }

static const char *small_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { small_inclusive,
          "inclusive where exclusive is asked for: each lane also adds its own value" },
        { small_unweighted,
          "the weights are missing: every bit counts 1, while bit b of a value is worth 2^b" },
        { small_predicate, "each value counts 1: a ballot of the value itself asks only whether it "
                           "differs from 0; vote bit by bit" },
        { small_lowest, "only the lowest bit is added: there are as many rounds as bits" },
        { small_not_top, "the highest bit is left out: the loop ends one bit too early" },
        { small_twice,
          "each sum is twice what it should be: bit b of a value is worth 2^b, not 2^(b+1)" },
        { small_whole, "every value but 0 counts as if all its bits were set: shift the wanted bit "
                       "down and mask it before the ballot" },
    };
    return find_slip(m, SLIPS(slips), false);
}

/* Trues before i in its warp, and of the section's warps before it, each as count(warp's trues)
   makes it. */
static int64_t block_with(const view *v, int64_t (*count)(const view *, size_t warp_first),
                          bool own)
{
    int64_t sum = lt_count(v);
    for (size_t first = v->i - v->i % SECTION; first + (own ? 0 : WARP) <= v->i; first += WARP)
        sum += count(v, first);
    return sum;
}

static int64_t of_warp(const view *v, size_t first)
{
    return trues(v->pred, first, run_end(first, WARP, v->n));
}
static int64_t without_last(const view *v, size_t first)
{
    return trues(v->pred, first, run_end(first, WARP, v->n) - 1);
}
static int64_t of_five_bits(const view *v, size_t first) { return of_warp(v, first) % WARP; }
static int64_t of_one(const view *v, size_t first) { return of_warp(v, first) != 0; }
static int64_t only_neighbour(const view *v, size_t first)
{
    return first + 2 * WARP > v->i ? of_warp(v, first) : 0;
}

static int64_t counts_inclusive(const view *v) { return block_with(v, of_warp, true); }
static int64_t counts_lack_lane_31(const view *v) { return block_with(v, without_last, false); }
static int64_t counts_of_five_bits(const view *v) { return block_with(v, of_five_bits, false); }
static int64_t counts_as_predicates(const view *v) { return block_with(v, of_one, false); }
static int64_t counts_not_scanned(const view *v) { return block_with(v, only_neighbour, false); }
static int64_t own_count_added(const view *v) { return lt_count(v) + of_warp(v, v->i - v->lane); }
static int64_t block_inclusive(const view *v)
{
    return block_with(v, of_warp, false) + (v->bits >> v->lane & 1);
}

static const char *block_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { block_inclusive,
          "inclusive where exclusive is asked for: each element also counts itself" },
        { lt_count, "warp carry missing: every warp starts from 0, what the warps before it count "
                    "is not added" },
        { counts_inclusive, "every warp counts its own total once more: the scan of the warps' "
                            "counts must be exclusive" },
        { own_count_added, "every warp adds its own count: the counts in shared memory were never "
                           "scanned, or not stored back" },
        { counts_not_scanned, "every warp adds the count of the warp directly before it, not of "
                              "all before: the counts must be scanned" },
        { counts_lack_lane_31, "the last lane of each warp is missing from its warp's count: an "
                               "exclusive prefix in lane 31 lacks lane 31's own predicate" },
        { counts_of_five_bits, "warps that are all true count 0: a warp's count is 0 to 32, which "
                               "takes 6 bits, and 5 are scanned" },
        { counts_as_predicates,
          "every warp counts 1 for each warp before it that has a true lane: a ballot of the "
          "counts asks only whether they differ from 0; vote bit by bit" },
    };
    if (counts_positives(m, SECTION, false))
        return negatives_are_true(m);
    if (m->n <= WARP)
        return NULL; /* without carries these look alike */
    return find_slip(m, SLIPS(slips), false);
}

static bool truth_is_same(const int32_t *a, const int32_t *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((a[i] != 0) != (b[i] != 0))
            return false;
    return true;
}

/* Is a section's vote that of its positive elements? */
static bool votes_of_positives(const lab_mismatch *m)
{
    const int32_t *pred = m->inputs[0], *got = m->got;
    const char *name = m->buffer->name;
    for (size_t s = 0; s < m->length; s++) {
        const size_t first = s * SECTION, end = run_end(first, SECTION, m->n);
        size_t count = 0;
        for (size_t i = first; i < end; i++)
            count += is_positive(pred[i]);
        const bool any = count > 0, all = count == end - first;
        if (got[s] != (int32_t)(strcmp(name, "d_count") == 0 ? count
                                : strcmp(name, "d_all") == 0 ? all
                                                             : any))
            return false;
    }
    return true;
}

static const char *vote_diagnose(const lab_mismatch *m)
{
    const int32_t *expected = m->expected, *got = m->got;
    size_t last = m->length - 1;
    bool same = true, first_warps = true;

    if (votes_of_positives(m))
        return negatives_are_true(m);
    if (strcmp(m->buffer->name, "d_count") == 0) {
        for (size_t s = 0; s < m->length; s++)
            first_warps &=
                got[s] == trues(m->inputs[0], s * SECTION, run_end(s * SECTION, WARP, m->n));
        return first_warps && m->n > WARP
                   ? "only the first warp of each section is counted: a ballot ends at its warp's "
                     "border, a barrier reaches the whole block"
                   : NULL;
    }
    if (truth_is_same(expected, got, m->length))
        return "true has to come out as 1: CUDA promises only that the result is not 0";
    for (size_t s = 0; s < last; s++)
        same &= got[s] == expected[s];
    if (strcmp(m->buffer->name, "d_all") == 0 && same && m->n % SECTION != 0 &&
        expected[last] == 1 && got[last] == 0)
        return "no partial section is all true: threads beyond n vote false (in an \"and\" they "
               "must "
               "vote true), or a count is compared with 256, not with the section's own length";
    if (strcmp(m->buffer->name, "d_any") == 0 && same && m->n % SECTION != 0 && expected[last] == 0)
        return "the threads beyond n vote true: in an \"or\" they must vote false";
    return NULL;
}

#endif
