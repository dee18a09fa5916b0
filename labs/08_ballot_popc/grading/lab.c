/*
 * Declaration of lab 08: parts, reference, data, gates and hints. See common/lab/lab.h for what
 * each field means.
 *
 * Data are predicates, so that nothing floats and the work is counted in warp instructions, not by
 * additions:
 *     warp parts       no shared memory, no barrier; 4n bytes read (8n with heads), 4n written for
 *                      each output
 *     masks read       4 instructions; by arithmetic from the lane 6 or more: fewer instructions is
 *                      what the part gates, and the reads themselves
 *     block-wide       S/32 = 8 counts of 4 bytes in shared memory, at most 256 bytes; 2 barriers
 *     votes            no shared memory: the barrier itself adds, ands and ors
 * Instructions are compared with the solution's for another part, counted in the same run. Their
 * limits lie between what the taught way takes and what the next best takes, as counted (NOTES.md
 * of the solution): masks read 0.944 of masks computed; block-wide by ballots 0.43, with counts
 * added up by every thread 0.49, by 32-bit shuffles 0.66.
 */
#include <string.h>

#include "ballot_popc.h"
#include "lab.h"
#include "references.h"
#include "rng.h"
#include "usual_gates.h"

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

/* ---- limits ---------------------------------------------------------------------------------- */

static size_t section_count(size_t n) { return (n + SECTION - 1) / SECTION; }

static double eight_bytes_each(size_t n) { return 8.0 * (double)n; }
static double sixteen_bytes_each(size_t n) { return 16.0 * (double)n; }
static double least_blocks(size_t n) { return section_count(n) < 8 ? (double)section_count(n) : 8; }
LIMIT(block_threads, SECTION)
static double twelve_bytes_a_section(size_t n) { return 12.0 * (double)section_count(n); }
LIMIT(shared_bytes, 256)
LIMIT(mask_instructions, 1.1)
/* One mask before the lane and one after it: who takes the own bit off a count needs no other, and
   the compiler drops what is not used. A warp that goes over several sections reads them once. */
static double two_a_warp(size_t n)
{
    const size_t warps = (n + WARP - 1) / WARP, most = 8 * SECTION / WARP;
    return 2.0 * (double)(warps < most ? warps : most);
}
LIMIT(block_instructions, 0.6)

#define BYTES_READ(limit, formula)                                                                 \
    LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", formula,                                     \
        "Load each element once; what the others of the warp need of it is in the ballot."
#define BYTES_WRITTEN(limit, formula)                                                              \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, limit, "bytes written", formula,                               \
        "Store each result once, when it is final."
#define ATOMICS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, zero, "atomics",                                                     \
        "0: a ballot collects the bits of a warp without one",                                     \
        "Atomics add one lane after the other; __popc adds up the 32 bits of a ballot at once."
#define INSTRUCTIONS                                                                               \
    TWICE_THE_REFERENCE("Each lane works for its own element: the ballot tells it all it needs. "  \
                        "No lane goes through the others' elements.")
#define WARP_GATES(read, read_formula, written, written_formula)                                   \
    LAB_ENTRIES(                                                                                   \
        { BYTES_READ(read, read_formula) }, { BYTES_WRITTEN(written, written_formula) },           \
        { STORED(written, written_formula) }, { MADE_OF_INPUT }, { WHOLE_SECTORS },                \
        ONE_LAUNCH_ALONE, { ATOMICS },                                                             \
        { NO_SHARED("__ballot_sync hands every lane the bits of all: nothing needs to go "         \
                    "through shared memory.") },                                                   \
        { NO_BARRIERS(                                                                             \
            "A ballot waits for the lanes of its own warp, and you need no other warp.") },        \
        SECTION_EACH(least_blocks, block_threads, "256"))

/* ---- diagnosis: what well-known slips leave -------------------------------------------------- */

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
static bool has_low_bit(int32_t x) { return x & 1; }

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
static int64_t low_bits(const view *v) { return count_of(v, has_low_bit); }

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
        { low_bits, "even elements are not counted: true is what differs from 0" },
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
    return popc(v->bits & v->lt & ~0u << __builtin_ctz(v->heads | 1));
}
static int64_t from_clz(const view *v)
{
    return popc(v->bits & v->lt & ~0u << __builtin_clz((v->heads | 1) & v->le));
}

static const char *segmented_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { lt_count, "heads change nothing: each count runs on from the start of the warp" },
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

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints ballot_hints = {
    "Every lane has one bit. Which word of all these bits can each lane of the warp get, and what "
    "does the number of its ones mean?",
    "__ballot_sync makes a word of the predicates of all lanes, bit k from lane k. __popc counts "
    "the ones of a word. Every lane that the mask names must meet the ballot, also one beyond n.",
    "ballot = the ballot of ___ over all lanes\n"
    "count = the number of ones in ___",
};
static const lab_hints masks_hints = {
    "A ballot shows each lane the bits of its whole warp. Which of the 32 bits does lane 5 count "
    "for \"before me\", and which for \"up to me\"? Write both masks down for lanes 0, 5 and 31. "
    "Which one is the complement of which?",
    "1 << lane is the lane's own bit. One less than it has all lower bits set, and so nothing is "
    "ever shifted by 32. The other two are complements: what is not below or at the lane is above "
    "it. A mask cuts a ballot, __popc counts what is left.",
    "own = the lane's own bit, unsigned\n"
    "lt = own less ___; le = lt with ___; gt = all bits that are not in ___; ge = all that are "
    "not in ___\n"
    "TODO 3, for each mask: count the ones of ballot and ___",
};
static const lab_hints registers_hints = {
    "PTX has a register for each of the four masks. What is the name of the one that is read "
    "already, and what are the names of the others?",
    "The special registers are %lanemask_lt, _le, _gt and _ge. In an asm statement with operands "
    "a % is written twice.",
    "Three more asm statements like the one that is there, each with another register and another "
    "___.",
};
static const lab_hints segments_hints = {
    "A segment's scan counts from its head on. Which heads can matter to lane 9, those at or "
    "before it or those after? And which of them is the last?",
    "Take a ballot of the heads, keep those at or before the lane, and find the highest bit that "
    "is left: __clz counts the zeros above it. Then count the predicates before the lane, but not "
    "those before that head. Lane 0 begins a segment, marked or not.",
    "heads = the ballot of ___, with bit 0 set whatever it says\n"
    "first = the lane of the highest bit of heads and ___: 31 less ___\n"
    "count = the ones of the ballot of pred, cut by ___, and by all bits from ___ on",
};
static const lab_hints bits_hints = {
    "An integer of 4 bits is four predicates. What is a true predicate for bit 2 worth in a sum?",
    "Scan each bit as you scanned a predicate: a ballot, cut by a mask, counted. Bit b's count is "
    "worth 2^b, and the counts are added up.",
    "for each bit of the integers:\n"
    "    ballot of bit ___ of the lane's value: 0 or 1\n"
    "    sum += the count under the mask, shifted left by ___",
};
static const lab_hints block_hints = {
    "Each warp knows its own lanes. What does lane 0 of warp 3 lack, and who knows it?",
    "The warps' counts are integers of 6 bits. Each warp leaves its count in shared memory; the "
    "first warp scans the counts with TODO 6; every lane adds what lies before its warp. A count "
    "must be there before the first warp reads it, and scanned before others do: two barriers.",
    "one lane of each warp: shared place ___ = the ones of the warp's ballot\n"
    "a barrier\n"
    "the whole first warp: scans the counts by ___, exclusively; lanes beyond the last warp bring "
    "___; the others store theirs back\n"
    "a barrier\n"
    "each lane: what lies before its ___ and the count before it in the warp",
};
static const lab_hints vote_hints = {
    "Three questions are asked at one barrier: how many, all, any. What must a thread beyond n "
    "answer to each, so that it changes nothing?",
    "__syncthreads_count, __syncthreads_and and __syncthreads_or are barriers that count, and all "
    "threads of the block must meet them. Beyond n the vote that changes nothing is false for "
    "count and any, and true for all.",
    "count: vote ___; any: vote ___; all: vote ___, or true beyond n. Each function takes one "
    "integer, true if it is not 0.",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define INPUT(label)          .name = label, .type = LAB_I32
#define OUTPUT(label)         .name = label, .type = LAB_I32, .role = LAB_OUT
#define SECTION_OUTPUT(label) OUTPUT(label), .length = section_count, .owner = LAB_BY_BLOCK

static const lab_buffers count_buffers = { { INPUT("d_pred") }, { OUTPUT("d_count") } };
static const lab_buffers scans_buffers = {
    { INPUT("d_pred") }, { OUTPUT("d_lt") }, { OUTPUT("d_le") },
    { OUTPUT("d_gt") },  { OUTPUT("d_ge") },
};
static const lab_buffers segmented_buffers = {
    { INPUT("d_pred") },
    { INPUT("d_head") },
    { OUTPUT("d_out") },
};
static const lab_buffers small_buffers = { { INPUT("d_value") }, { OUTPUT("d_out") } };
static const lab_buffers block_buffers = { { INPUT("d_pred") }, { OUTPUT("d_out") } };
static const lab_buffers vote_buffers = {
    { INPUT("d_pred") },
    { SECTION_OUTPUT("d_count") },
    { SECTION_OUTPUT("d_all") },
    { SECTION_OUTPUT("d_any") },
};

static const lab_gates count_gates = {
    WARP_GATES(four_bytes_each, "4n: each predicate once", four_bytes_each, "4n: each count once"),
    { INSTRUCTIONS },
};
static const lab_gates scans_gates = {
    WARP_GATES(four_bytes_each, "4n: each predicate once", sixteen_bytes_each,
               "16n: four counts an element"),
    { INSTRUCTIONS },
    { LAB_LANE_MASKS, LAB_AT_MOST, zero, "lane masks read", "0: here they come from arithmetic",
      "Make the masks from the lane's number, by shift, minus, or and not; warp_scans_ptx is for "
      "the special registers." },
};
static const lab_gates scans_ptx_gates = {
    WARP_GATES(four_bytes_each, "4n: each predicate once", sixteen_bytes_each,
               "16n: four counts an element"),
    { LAB_LANE_MASKS, LAB_AT_LEAST, two_a_warp, "lane masks read",
      "2 a warp, of up to 64 warps: one of %lanemask_lt and _le, one of _gt and _ge; the compiler "
      "drops those that are not used",
      "Read each of the four masks with asm from its own special register; none is computed." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, mask_instructions, "instructions against arithmetic",
      "1.1 of warp_scans': reading a mask is one instruction",
      "Read each mask with asm from its special register; then nothing has to be computed from the "
      "lane." },
};
static const lab_gates segmented_gates = {
    WARP_GATES(eight_bytes_each, "8n: each predicate and each head flag once", four_bytes_each,
               "4n: each count once"),
    { INSTRUCTIONS },
};
static const lab_gates small_gates = {
    WARP_GATES(four_bytes_each, "4n: each value once", four_bytes_each, "4n: each sum once"),
    { INSTRUCTIONS },
    { LAB_SHUFFLES, LAB_AT_MOST, zero, "shuffles", "0: a ballot for each bit shows all lanes all",
      "Let the lanes vote on one bit of their values after another, and count the votes before "
      "the own lane; shuffles are for lab 09." },
};
static const lab_gates block_gates = {
    { BYTES_READ(four_bytes_each, "4n: each predicate once") },
    { BYTES_WRITTEN(four_bytes_each, "4n: each count once") },
    { STORED(four_bytes_each, "4n: each count once") },
    { MADE_OF_INPUT },
    { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,
    { ATOMICS },
    { THREE_BARRIERS("Within a warp no barrier is needed: a ballot waits for its lanes.") },
    { LAB_SHARED_PER_BLOCK, LAB_AT_MOST, shared_bytes, "shared memory",
      "256 bytes a block; one count a warp is 4 * 8 = 32",
      "Only the warps' counts have to pass through shared memory, one word a warp." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, block_instructions, "instructions against 32 bits",
      "0.6 of block_scan_32's",
      "One ballot and one __popc take the place of a warp's five steps; let one warp alone scan "
      "the counts." },
    SECTION_EACH(least_blocks, block_threads, "256"),
};
static const lab_gates block_32_gates = {
    { BYTES_READ(four_bytes_each, "4n: each predicate once") },
    { BYTES_WRITTEN(four_bytes_each, "4n: each count once") },
    SECTION_EACH(least_blocks, block_threads, "256"),
};
static const lab_gates vote_gates = {
    { BYTES_READ(four_bytes_each, "4n: each predicate once") },
    { BYTES_WRITTEN(twelve_bytes_a_section, "12 per section: three results") },
    { STORED(twelve_bytes_a_section, "12 per section: three results") },
    { MADE_OF_INPUT },
    { INSTRUCTIONS },
    ONE_LAUNCH_ALONE,
    { ATOMICS },
    { LAB_SHARED_REQUESTS, LAB_AT_MOST, zero, "shared-memory accesses",
      "0: the barrier itself counts",
      "__syncthreads_count, _and and _or hand their result to every thread; no shared memory is "
      "needed." },
    { LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, three, "barriers", "3: one a result",
      "Each vote is a barrier itself and needs no other." },
    SECTION_EACH(least_blocks, block_threads, "256"),
};

static const lab_sizes gate_sizes = { SECTION, 16 * SECTION, 10 * SECTION + 77 };

static const lab_parts parts = {
    {
        .entry = "warp_count",
        .title = "how many lanes of each warp are true",
        .points = 10,
        .buffers = count_buffers,
        .reference = count_reference,
        .fill = fill_flags,
        .gates = count_gates,
        .gate_sizes = gate_sizes,
        .diagnose = count_diagnose,
        .against = "warp_count",
        .todos = LAB_TODO(1),
        .hints = ballot_hints,
    },
    {
        .entry = "warp_scans",
        .title = "four scans of a warp, lane masks by arithmetic",
        .points = 20,
        .buffers = scans_buffers,
        .reference = scans_reference,
        .fill = fill_flags,
        .gates = scans_gates,
        .gate_sizes = gate_sizes,
        .diagnose = scans_diagnose,
        .against = "warp_scans",
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = masks_hints,
    },
    {
        .entry = "warp_scans_ptx",
        .title = "four scans of a warp, lane masks from special registers",
        .points = 10,
        .buffers = scans_buffers,
        .reference = scans_reference,
        .fill = fill_flags,
        .gates = scans_ptx_gates,
        .gate_sizes = gate_sizes,
        .diagnose = scans_diagnose,
        .against = "warp_scans",
        .todos = LAB_TODO(3) | LAB_TODO(4),
        .hints = registers_hints,
    },
    {
        .entry = "warp_segmented",
        .title = "segmented scan of a warp by head flags",
        .points = 15,
        .buffers = segmented_buffers,
        .reference = segmented_reference,
        .fill = fill_flags,
        .gates = segmented_gates,
        .gate_sizes = gate_sizes,
        .diagnose = segmented_diagnose,
        .against = "warp_segmented",
        .todos = LAB_TODO(2) | LAB_TODO(5),
        .hints = segments_hints,
    },
    {
        .entry = "warp_small_integers",
        .title = "scan of 4-bit integers in a warp, bit by bit",
        .points = 15,
        .buffers = small_buffers,
        .reference = small_integers_reference,
        .fill = fill_small_integers,
        .gates = small_gates,
        .gate_sizes = gate_sizes,
        .diagnose = small_diagnose,
        .against = "warp_small_integers",
        .todos = LAB_TODO(6),
        .hints = bits_hints,
    },
    {
        .entry = "block_binary_scan",
        .title = "scan of predicates in a block",
        .points = 20,
        .buffers = block_buffers,
        .reference = block_reference,
        .fill = fill_flags,
        .gates = block_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_diagnose,
        .against = "block_scan_32",
        .drawn = true,
        .todos = LAB_TODO(4) | LAB_TODO(6) | LAB_TODO(7),
        .hints = block_hints,
    },
    {
        .entry = "block_scan_32",
        .title = "the same with sums of 32-bit integers (given)",
        .points = 0,
        .buffers = block_buffers,
        .reference = block_reference,
        .fill = fill_flags,
        .gates = block_32_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_diagnose,
        .drawn = true,
    },
    {
        .entry = "block_vote",
        .title = "count, all and any of a block, at a barrier",
        .points = 10,
        .buffers = vote_buffers,
        .reference = vote_reference,
        .fill = fill_flags,
        .gates = vote_gates,
        .gate_sizes = gate_sizes,
        .diagnose = vote_diagnose,
        .against = "block_vote",
        .todos = LAB_TODO(8),
        .hints = vote_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Ballot and popc",
    .learned = "A ballot and a popc count the lanes before one's own: that scans bits, and small "
               "integers bit by bit.",
    .file = "ballot_popc.cu",
    .tile = SECTION,
    .threads = SECTION,
    .per_thread = 1,
    .large_n = (1 << 16) + 77,
    .taught = { "shared-memory accesses", "instructions against arithmetic",
                "instructions against 32 bits" },
    .parts = parts,
};
