/*
 * Declaration of lab 09: parts, reference, data, gates and hints. See common/lab/lab.h for what
 * each field means.
 *
 * The theory behind the gates, for a warp of 32 lanes and a section of S = 256 elements, 8 warps;
 * lanes beyond n take part with 0, and so a partial section costs as much as a full one:
 *     differences  one subtraction a lane                                             =  32 a warp
 *     butterfly    5 steps of 32 additions                                            = 160 a warp
 *     up scan      32 - delta for delta = 1, 2, 4, 8, 16: 31 + 30 + 28 + 24 + 16      = 129 a warp;
 *                  where all lanes add and the others add a zero: 160
 *     block        8 warp scans, as many of their sums, a carry each: 16 * 160 + 256 = 2816 a
 *                  section at most
 *     bytes        4n read, 4n written; no shared memory but in the block: one sum a warp
 * Instructions are compared with the solution's for another part, counted in the same run. Their
 * limits lie between what the taught way takes and what the next best takes, as counted (NOTES.md
 * of the solution).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lab.h"
#include "references.h"
#include "rng.h"
#include "shuffle_scan.h"
#include "usual_gates.h"

enum {
    SECTION = SHUFFLE_SCAN_SECTION,
    WARP = 32,
    WARPS = SECTION / WARP,
    LOG2_WARP = 5,
    LARGEST = 100
};

/* ---- data ------------------------------------------------------------------------------------ */

/* For the broadcast: warps without a negative element, with one, with some, with nothing else.
   Values are far enough apart to tell one lane from another. One in 16 is -0.0, which is not
   negative; one in 8 lies between -1 and 1, which an int cuts to 0, and half of these are
   denormal. */
static void fill_signs(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    static const unsigned eighths[] = { 0, 0, 1, 2, 4, 8 }; /* chance of being negative */
    float *value = data;
    rng r;

    (void)buffer;
    rng_seed(&r, seed);
    for (size_t first = 0; first < n; first += WARP) {
        size_t end = n - first < WARP ? n : first + WARP;
        unsigned chance = eighths[rng_below(&r, sizeof eighths / sizeof *eighths)];
        for (size_t i = first; i < end; i++) {
            value[i] = (float)rng_between(&r, 1, LARGEST);
            if (rng_below(&r, 8) < chance)
                value[i] = -value[i];
            if (n > WARP && rng_below(&r, 8) == 0)
                value[i] *= rng_below(&r, 2) ? 1.0f / 128 : FLT_TRUE_MIN;
            if (n > WARP && rng_below(&r, 16) == 0)
                value[i] = -0.0f;
        }
    }
    if (n > 1 && value[0] == value[1])
        value[1] += value[1] > 0 ? 1 : -1;
}

/* ---- references: one element at a time ------------------------------------------------------- */

static void neighbour_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % WARP == 0 ? 0 : in[i] - in[i - 1];
}

static void broadcast_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t k = i - i % WARP; k < run_end(i, WARP, n); k++)
            if (in[k] < 0)
                out[i] = in[k];
    }
}

static void reduce_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t k = i - i % WARP; k < run_end(i, WARP, n); k++)
            out[i] += in[k];
    }
}

static void warp_scan_reference(void *const *buffers, size_t n)
{
    scan_runs_inclusive(buffers, n, WARP);
}
static void block_scan_reference(void *const *buffers, size_t n)
{
    scan_runs_inclusive(buffers, n, SECTION);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static double half_of_lanes(size_t n) { return 0.5 * filled(n, SECTION); }
static double sections(size_t n) { return (double)((n + SECTION - 1) / SECTION); }
static double least_blocks(size_t n) { return sections(n) < 8 ? sections(n) : 8; }
LIMIT(block_threads, SECTION)

static double least_additions(size_t n) { return (double)n - (double)((n + WARP - 1) / WARP); }
static double least_block_additions(size_t n) { return (double)n - sections(n); }
static double differences(size_t n) { return sections(n) * SECTION; }
static double butterfly_additions(size_t n) { return sections(n) * WARPS * LOG2_WARP * WARP; }
static double scan_additions(size_t n)
{
    return sections(n) * WARPS * (LOG2_WARP * WARP - (WARP - 1));
}
static double block_additions(size_t n)
{
    return sections(n) * (2 * WARPS * LOG2_WARP * WARP + SECTION);
}
LIMIT(word_a_lane, WARP * sizeof(float))
LIMIT(predicate_instructions, 0.85)
LIMIT(block_instructions, 0.85)

#define BYTES_READ                                                                                 \
    LAB_BYTES_READ, LAB_AT_MOST, four_bytes_each, "bytes read", "4n: each input once",             \
        "Load each element once; what other lanes need of it they get by a shuffle."
#define BYTES_WRITTEN                                                                              \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each output once",      \
        "Keep the sums of the steps in a register and store only the last ones."
#define LANES_ADDING                                                                               \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, half_of_lanes, "lanes adding",                               \
        "0.5 of the 32: all lanes of a warp add together",                                         \
        "Let each lane work for its own element, and take what it needs from the others by "       \
        "shuffles; no lane goes through their elements."
#define MADE_IN_WARPS                                                                              \
    ADDITIONS_MADE(least_additions,                                                                \
                   "n - ceil(n / 32): each element but a warp's first is added to something")
#define ALL_STORED STORED(four_bytes_each, "4n: each output once")
#define ADDITIONS(limit, formula, advice)                                                          \
    LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula, advice
#define NO_SHARED_BYTES                                                                            \
    LAB_SHARED_PER_BLOCK, LAB_AT_MOST, zero, "shared memory", "0 bytes",                           \
        "Take the __shared__ arrays away: shuffles need no memory."
#define WARP_GATES                                                                                 \
    LAB_ENTRIES(                                                                                   \
        { BYTES_READ }, { BYTES_WRITTEN }, { ALL_STORED }, { WHOLE_SECTORS }, ONE_LAUNCH_ALONE,    \
        { NO_ATOMICS },                                                                            \
        { NO_SHARED("A shuffle hands a register to another lane of the warp: nothing needs "       \
                    "to go through shared memory.") },                                             \
        { NO_SHARED_BYTES },                                                                       \
        { NO_BARRIERS(                                                                             \
            "A shuffle waits for the lanes of its own warp, and you need no other warp.") },       \
        { ALL_IN_FLOAT }, SECTION_EACH(least_blocks, block_threads, "256"), { WARPS_ALIKE })

/* ---- diagnosis: what well-known slips leave -------------------------------------------------- */

/* A slip makes out from in, both of one run, a warp or a section; in is 0 beyond n. */
typedef struct slip {
    void (*leave)(const float *in, float *out);
    const char *cause;
} slip;

static bool is_slip(const lab_mismatch *m, size_t run, void (*leave)(const float *, float *))
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->length; first += run) {
        float padded[SECTION] = { 0 }, out[SECTION];
        size_t count = m->length - first < run ? m->length - first : run;

        memcpy(padded, in + first, count * sizeof *in);
        leave(padded, out);
        for (size_t k = 0; k < count; k++)
            if (got[first + k] != out[k])
                return false;
    }
    return true;
}

static const char *find_slip(const lab_mismatch *m, size_t run, const slip *slips, size_t count)
{
    for (size_t s = 0; s < count; s++)
        if (is_slip(m, run, slips[s].leave))
            return slips[s].cause;
    return NULL;
}

#define SLIPS(table) table, sizeof table / sizeof table[0]

static void copied(const float *in, float *out) { memcpy(out, in, WARP * sizeof *in); }

static void all_lanes(float *out, float value)
{
    for (int k = 0; k < WARP; k++)
        out[k] = value;
}

/* Exchange. */

static void neighbour_none(const float *in, float *out)
{
    (void)in;
    all_lanes(out, 0);
}

static void neighbour_alone(const float *in, float *out)
{
    for (int k = 0; k < WARP; k++)
        out[k] = k > 0 ? in[k - 1] : in[k];
}

static void neighbour_right(const float *in, float *out)
{
    for (int k = 0; k < WARP; k++)
        out[k] = in[k] - in[k + 1 < WARP ? k + 1 : k];
}

static void neighbour_around(const float *in, float *out)
{
    for (int k = 0; k < WARP; k++)
        out[k] = in[k] - in[(k + WARP - 1) % WARP];
}

static void neighbour_or_zero(const float *in, float *out)
{
    for (int k = 0; k < WARP; k++)
        out[k] = in[k] - (k > 0 ? in[k - 1] : 0);
}

static void neighbour_flipped(const float *in, float *out)
{
    for (int k = 0; k < WARP; k++)
        out[k] = in[k] - in[k ^ 1];
}

static const char *neighbour_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { neighbour_none,
          "every difference is 0: each lane subtracted its own value, nothing was exchanged" },
        { neighbour_alone,
          "the neighbours' values themselves came out: subtract them from the lane's own" },
        { neighbour_right, "every lane got its right neighbour's value: __shfl_up moves values up "
                           "to higher lanes, __shfl_down down to lower ones" },
        { neighbour_around, "lane 0 got lane 31's value: __shfl_sync takes its lane modulo 32, so "
                            "that -1 is 31. __shfl_up_sync leaves lane 0 its own value" },
        { neighbour_or_zero, "lane 0 subtracted 0: with no lane to its left its difference is 0, "
                             "and its own value is what __shfl_up_sync leaves it" },
        { neighbour_flipped,
          "the lanes changed places in pairs: xor 1 is the left neighbour only of odd lanes" },
    };
    return find_slip(m, WARP, SLIPS(slips));
}

/* Broadcast. */

static uint32_t negatives(const float *in)
{
    uint32_t set = 0;
    for (int k = 0; k < WARP; k++)
        set |= (uint32_t)(in[k] < 0) << k;
    return set;
}

/* Lanes of a set that is not empty. */
static unsigned lowest(uint32_t set) { return (unsigned)__builtin_ctz(set); }
static unsigned highest(uint32_t set) { return WARP - 1 - (unsigned)__builtin_clz(set); }

static void from_lowest(const float *in, float *out)
{
    uint32_t set = negatives(in);
    all_lanes(out, set ? in[lowest(set)] : 0);
}

static void from_clz(const float *in, float *out)
{
    uint32_t set = negatives(in);
    all_lanes(out, set ? in[WARP - 1 - highest(set)] : 0);
}

static void from_next(const float *in, float *out)
{
    uint32_t set = negatives(in);
    all_lanes(out, set ? in[(highest(set) + 1) % WARP] : 0);
}

static void from_31_if_none(const float *in, float *out)
{
    uint32_t set = negatives(in);
    all_lanes(out, in[set ? highest(set) : WARP - 1]);
}

static void own_if_none(const float *in, float *out)
{
    uint32_t set = negatives(in);
    for (int k = 0; k < WARP; k++)
        out[k] = set ? in[highest(set)] : in[k];
}

static void only_where_negative(const float *in, float *out)
{
    uint32_t set = negatives(in);
    for (int k = 0; k < WARP; k++)
        out[k] = in[k] < 0 ? in[highest(set)] : 0;
}

static void only_in_highest(const float *in, float *out)
{
    uint32_t set = negatives(in);
    for (int k = 0; k < WARP; k++)
        out[k] = set >> k == 1 ? in[k] : 0;
}

static void last_positive(const float *in, float *out)
{
    float last = 0;
    for (int k = 0; k < WARP; k++)
        if (in[k] > 0)
            last = in[k];
    all_lanes(out, last);
}

/* The lanes beyond n, which hold 0, among them. */
static void last_not_positive(const float *in, float *out)
{
    float last = 0;
    for (int k = 0; k < WARP; k++)
        if (in[k] <= 0)
            last = in[k];
    all_lanes(out, last);
}

static void last_with_sign(const float *in, float *out)
{
    float last = 0;
    for (int k = 0; k < WARP; k++)
        if (signbit(in[k]))
            last = in[k];
    all_lanes(out, last);
}

static void last_as_an_int(const float *in, float *out)
{
    float last = 0;
    for (int k = 0; k < WARP; k++)
        if ((int)in[k] < 0)
            last = in[k];
    all_lanes(out, last);
}

static const char *broadcast_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { copied, "every lane kept its own value: nothing was exchanged" },
        { from_lowest, "every lane got the first negative element, not the last: __ffs finds the "
                       "lowest lane of a ballot, bfind the highest" },
        { last_with_sign, "-0.0 was taken for a negative element: its sign bit is set, and it is "
                          "not below 0. Ask for < 0" },
        { last_as_an_int, "an element between -1 and 0 was not taken for negative: as an int it is "
                          "0. Compare the float with 0.0f" },
        { last_not_positive, "the last warp got 0 from a lane beyond n: those hold 0, which is not "
                             "negative. Is the vote < 0, not <= 0, and the lane 31 - __clz?" },
        { from_clz, "the lane was counted from the top: __clz counts the zeros above the highest "
                    "bit, whose lane is 31 - __clz" },
        { from_next, "the lane is one too high: 32 - __clz counts lanes from 1, as __ffs does" },
        { from_31_if_none, "warps without a negative element got lane 31's value: for an empty "
                           "ballot bfind gives all ones (31 - __clz gives -1), which a shuffle "
                           "takes modulo 32. Ask whether the ballot is 0" },
        { own_if_none, "where no element of the warp is negative every lane kept its own value: 0 "
                       "is asked for" },
        { only_where_negative, "lanes with a positive element got 0: the choice of the lane asks "
                               "for negative ones, all lanes get its value" },
        { only_in_highest,
          "only the chosen lane has its value: it must be handed to all others by a shuffle" },
        { last_positive, "every lane got the last positive element: vote for the negative ones" },
    };
    return find_slip(m, WARP, SLIPS(slips));
}

/* Sums: a step of every distance from `from` up to `to`, in which lane k adds what take(k,
   distance) names; -1: nothing. */
static void steps(const float *in, float *out, int from, int to, int (*take)(int, int))
{
    copied(in, out);
    for (int distance = from; distance <= to; distance *= 2) {
        float before[WARP];

        memcpy(before, out, sizeof before);
        for (int k = 0; k < WARP; k++) {
            int other = take(k, distance);
            if (other >= 0)
                out[k] = before[k] + before[other];
        }
    }
}

static int take_xor(int k, int distance) { return k ^ distance; }
static int take_up(int k, int distance) { return k >= distance ? k - distance : -1; }
static int take_up_or_own(int k, int distance) { return k >= distance ? k - distance : k; }
static int take_up_beyond(int k, int distance) { return k > distance ? k - distance : -1; }
static int take_own_below(int k, int distance) { return k >= distance ? -1 : k; }
static int take_down(int k, int distance) { return k + distance < WARP ? k + distance : -1; }
static int take_down_or_own(int k, int distance) { return k + distance < WARP ? k + distance : k; }
static int take_down_guarded_up(int k, int distance)
{
    return k >= distance ? take_down_or_own(k, distance) : -1;
}
static int take_xor_guarded_up(int k, int distance) { return k >= distance ? k ^ distance : -1; }

enum { LAST_DISTANCE = WARP / 2 };

static void xor_without_16(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE / 2, take_xor);
}
static void xor_without_1(const float *in, float *out)
{
    steps(in, out, 2, LAST_DISTANCE, take_xor);
}
static void xor_whole(const float *in, float *out) { steps(in, out, 1, LAST_DISTANCE, take_xor); }
static void up_whole(const float *in, float *out) { steps(in, out, 1, LAST_DISTANCE, take_up); }
static void up_without_16(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE / 2, take_up);
}
static void up_unguarded(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE, take_up_or_own);
}
static void up_beyond(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE, take_up_beyond);
}
static void up_inverted(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE, take_own_below);
}
static void down_whole(const float *in, float *out) { steps(in, out, 1, LAST_DISTANCE, take_down); }
static void down_guarded_up(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE, take_down_guarded_up);
}
static void xor_guarded_up(const float *in, float *out)
{
    steps(in, out, 1, LAST_DISTANCE, take_xor_guarded_up);
}

/* Distances falling, as the butterfly's do. */
static void down_tree(const float *in, float *out)
{
    float before[WARP];

    copied(in, out);
    for (int distance = LAST_DISTANCE; distance > 0; distance /= 2) {
        memcpy(before, out, sizeof before);
        for (int k = 0; k < WARP; k++)
            out[k] = before[k] + before[take_down_or_own(k, distance)];
    }
}

static const char *reduce_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { copied, "no step was taken: the output is the input as it was loaded" },
        { xor_without_16, "each sum covers half a warp: the step of distance 16 is missing" },
        { xor_without_1,
          "each sum covers every other lane: the loop ends before the step of distance 1" },
        { down_tree, "only lane 0 has the whole sum: __shfl_down makes a tree. Let both lanes of a "
                     "pair add, by __shfl_xor" },
        { up_whole, "the output is a scan: only lane 31 has the whole sum. Let both lanes of a "
                    "pair add, by __shfl_xor" },
    };
    const char *cause = m->n > 1 ? find_slip(m, WARP, SLIPS(slips)) : NULL;

    if (!cause && m->length > WARP && m->length % WARP != 0 &&
        m->index >= m->length - m->length % WARP)
        return "right in full warps only: a shuffle from a lane that has left brings no 0. Let all "
               "32 lanes take part, those beyond n with 0";
    return cause;
}

static const char *scan_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { up_unguarded,
          "lanes below the distance added their own sum: that is what __shfl_up_sync gives a lane "
          "with nothing that far to its left. Only lanes at or beyond the distance add" },
        { up_beyond, "the lane at the distance itself does not add: lane 0 lies exactly that far "
                     "to its left" },
        { up_without_16,
          "each sum covers only the last 16 lanes: the loop ends before the step of distance 16" },
        { down_whole, "the sums run from the right: each lane added what lies above it. __shfl_up "
                      "hands values up, to higher lanes" },
        { down_guarded_up, "each lane added what lies above it: __shfl_down hands values down, to "
                           "lower lanes, __shfl_up hands them up" },
        { xor_guarded_up, "a lane's partner by xor lies above it as often as below: take the lane "
                          "at the distance to the left, by __shfl_up" },
        { xor_whole, "every lane has the sum of the whole warp: that is the butterfly. A scan "
                     "takes from the left only" },
        { copied, "no step was taken: the output is the input as it was loaded" },
    };
    return m->n > 1 ? find_slip(m, WARP, SLIPS(slips)) : NULL;
}

static const char *predicate_diagnose(const lab_mismatch *m)
{
    if (m->n > 1 && is_slip(m, WARP, copied))
        return "nothing was added: no step was taken, or the predicate is false in every lane. The "
               "bound of shfl.up, its operand c, is the lowest lane, 0; 31 is that of the other "
               "modes";
    if (is_slip(m, WARP, up_inverted))
        return "only lanes that got their own value back added it: the predicate is true where "
               "another lane's value came in";
    return scan_diagnose(m);
}

/* Block: each warp's own scan, and carry(sums, warp) before it. */
static void carried(const float *in, float *out, float (*carry)(const float *sums, int warp),
                    size_t summed_lanes)
{
    float sums[WARPS];

    for (int warp = 0; warp < WARPS; warp++) {
        sums[warp] = 0;
        for (size_t k = 0; k < summed_lanes; k++)
            sums[warp] += in[warp * WARP + k];
        up_whole(in + warp * WARP, out + warp * WARP);
    }
    for (int k = 0; k < SECTION; k++)
        out[k] += carry(sums, k / WARP);
}

static float sum_up_to(const float *sums, int count)
{
    float sum = 0;
    for (int warp = 0; warp < count; warp++)
        sum += sums[warp];
    return sum;
}

static float carry_before(const float *sums, int warp) { return sum_up_to(sums, warp); }
static float carry_with_own(const float *sums, int warp) { return sum_up_to(sums, warp + 1); }
static float carry_none(const float *sums, int warp)
{
    (void)sums;
    (void)warp;
    return 0;
}
static float carry_own(const float *sums, int warp) { return sums[warp]; }
static float carry_neighbour(const float *sums, int warp) { return warp > 0 ? sums[warp - 1] : 0; }
static float carry_before_last(const float *sums, int warp)
{
    return sum_up_to(sums, warp > 0 ? warp - 1 : 0);
}

static void block_no_carry(const float *in, float *out) { carried(in, out, carry_none, WARP); }
static void block_own_too(const float *in, float *out) { carried(in, out, carry_with_own, WARP); }
static void block_own_only(const float *in, float *out) { carried(in, out, carry_own, WARP); }
static void block_neighbour_only(const float *in, float *out)
{
    carried(in, out, carry_neighbour, WARP);
}
static void block_one_early(const float *in, float *out)
{
    carried(in, out, carry_before_last, WARP);
}
static void block_lane_0(const float *in, float *out) { carried(in, out, carry_before, 1); }
static void block_lane_30(const float *in, float *out) { carried(in, out, carry_before, WARP - 1); }

static const char *block_diagnose(const lab_mismatch *m)
{
    static const slip slips[] = {
        { block_no_carry, "warp carry missing: every warp starts from 0, what the warps before it "
                          "sum up to is not added" },
        { block_own_too, "every warp adds its own sum once more: the carry of a warp is the scan "
                         "of the sums up to the warp before it" },
        { block_own_only, "every warp adds its own sum: the sums in shared memory were never "
                          "scanned, or not stored back" },
        { block_neighbour_only, "every warp adds the sum of the warp directly before it, not of "
                                "all before: the sums must be scanned" },
        { block_one_early,
          "the sum of the warp directly before is missing from each carry: the scan of the sums is "
          "exclusive, and then taken from the warp before once more" },
        { block_lane_0, "the carries add up the first elements of the warps: after an inclusive "
                        "scan the last lane has a warp's sum, not lane 0" },
        { block_lane_30, "the last lane of each warp is missing from the carries: lane 31 has the "
                         "whole sum, not lane 30" },
    };
    if (m->n <= WARP)
        return NULL; /* without carries these look alike */
    return find_slip(m, SECTION, SLIPS(slips));
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints neighbour_hints = {
    "A shuffle hands each lane the register of another. Which lane does lane 5 read from in "
    "__shfl_up_sync by 1? What does lane 0 get, where there is no lane to read from?",
    "Every lane that the mask names must meet the shuffle, also one beyond n. Lane 0 gets its own "
    "value back, so that its difference is 0 and needs no case of its own.",
    "left = the value of the lane ___ further left, by a shuffle that all lanes meet",
};
static const lab_hints broadcast_hints = {
    "Each lane asks whether its value is negative. How do all lanes learn which lane has the last "
    "negative value, and what if there is none?",
    "A ballot holds all answers; its highest bit is the last such lane. All lanes hold the same "
    "ballot, so that all or none of them go into an if that asks about it: a shuffle may stand in "
    "there.",
    "a ballot of ___\n"
    "if it is not ___:\n"
    "    last = the value of lane ___, by a shuffle that names the lane to read from",
};
static const lab_hints butterfly_hints = {
    "In the step of distance 4, which lane does lane 1 exchange with? And with whom does that "
    "lane exchange?",
    "Lane k and lane k ^ distance read each other: __shfl_xor_sync. Both add, so both have the "
    "pair's sum. After distances 16, 8, 4, 2 and 1 every lane has the sum of all, and no lane "
    "needs a guard.",
    "for distances ___, half of that, ... 1:\n"
    "    sum += what ___ has, by a shuffle that all lanes meet",
};
static const lab_hints scan_hints = {
    "What does lane 0 get in __shfl_up_sync by 1, where there is no lane to read from, and may it "
    "add that?",
    "The shuffle stands outside every if, because the lanes that add nothing are read by others. "
    "Only the addition is guarded: a lane adds if there is a lane that far to its left. The "
    "distances are 1, 2, 4, 8, 16.",
    "for delta = 1, 2, 4, 8, 16:\n"
    "    left = the sum of the lane ___, by a shuffle outside the if\n"
    "    if the lane is at least ___: add left",
};
static const lab_hints predicate_hints = {
    "The PTX shuffle can set a predicate. In which lanes is it true, and what does that make of "
    "your comparison?",
    "p is true in the lanes that read from a lane of the warp. So it says the same as the "
    "comparison of the last part. A predicate in front of an instruction, @p, lets only those "
    "lanes execute it.",
    "One line more in the asm text: @ and the predicate, then an addition of floats: its result "
    "is operand ___, and it adds ___ and the register left.",
};
static const lab_hints block_hints = {
    "Each warp has scanned its own elements. Which lane has the warp's sum, and what does warp 3 "
    "still lack?",
    "The last lane of each warp leaves the warp's sum in shared memory, the first warp scans the "
    "sums, and each lane adds what the warps before its own come to. The sums must be there "
    "before the first warp reads them, and scanned before others do: two barriers.",
    "the last lane of each warp: shared place ___ = its sum\n"
    "a barrier\n"
    "the whole first warp: scans the sums by ___; lanes beyond the last warp bring ___; the "
    "others store theirs back\n"
    "a barrier\n"
    "each lane of the warps after the first adds place ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT },
};

static const lab_gates neighbour_gates = {
    WARP_GATES,
    { MADE_IN_WARPS },
    { LANES_ADDING },
    { ADDITIONS(differences, "1 an element, the last section counted as full",
                "One subtraction a lane is all there is to compute.") },
};
static const lab_gates broadcast_gates = {
    WARP_GATES,
    { ADDITIONS(zero, "0: values only move",
                "A ballot chooses the lane, one shuffle fetches its value.") },
    { TWICE_THE_REFERENCE("A ballot chooses the lane, one shuffle fetches its value; no lane goes "
                          "through the others' elements.") },
};
static const lab_gates reduce_gates = {
    WARP_GATES,
    { MADE_IN_WARPS },
    { LANES_ADDING },
    { ADDITIONS(butterfly_additions, "5 * 32 = 160 a warp, a partial section counted as full",
                "Five steps are enough: at distance d each lane adds the sum of the lane whose "
                "number differs in bit d.") },
};
static const lab_gates scan_gates = {
    WARP_GATES,
    { MADE_IN_WARPS },
    { LANES_ADDING },
    { ADDITIONS(
        butterfly_additions, "5 * 32 = 160 a warp; 129 where the guard skips the addition",
        "Five steps are enough: at distance d each lane adds the sum of the lane d to its left.") },
};
static const lab_gates predicate_gates = {
    WARP_GATES,
    { MADE_IN_WARPS },
    { LANES_ADDING },
    { ADDITIONS(scan_additions,
                "31 + 30 + 28 + 24 + 16 = 129 a warp, a partial section counted as full",
                "Put the predicate before the addition itself, @p add.f32, so that only the lanes "
                "add that got another lane's value.") },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, predicate_instructions,
      "instructions against the comparison",
      "0.85 of shuffle_scan's: the shuffle already knows which lanes have a neighbour",
      "Let shfl.sync set the predicate, left|p, and guard the addition by it; nothing has to be "
      "compared." },
};
static const lab_gates block_gates = {
    { BYTES_READ },
    { BYTES_WRITTEN },
    { ALL_STORED },
    { ADDITIONS_MADE(least_block_additions,
                     "n - ceil(n / S): each element but a section's first is added to something") },
    { LANES_ADDING },
    { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    { ADDITIONS(block_additions,
                "16 * 160 + 256 = 2816 per section of S = 256, as many for a shorter last one",
                "Eight scans of warps, at most as many of their sums, and one carry an element.") },
    { THREE_BARRIERS("Within a warp no barrier is needed: a shuffle waits for its lanes.") },
    { LAB_SHARED_PER_BLOCK, LAB_AT_MOST, word_a_lane, "shared memory",
      "128 bytes a block; one sum a warp is 4 * 8 = 32",
      "Only the warps' sums have to pass through shared memory, one word a warp." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, block_instructions,
      "instructions against shared memory", "0.85 of shared_block_scan's",
      "Scan the warps, and their sums, by shuffles; let one warp alone scan the sums." },
    { ALL_IN_FLOAT },
    SECTION_EACH(least_blocks, block_threads, "256"),
    { WARPS_ALIKE },
};
static const lab_gates shared_gates = {
    { BYTES_READ },
    { BYTES_WRITTEN },
    { ALL_IN_FLOAT },
    SECTION_EACH(least_blocks, block_threads, "256"),
};

static const lab_sizes gate_sizes = { SECTION, 16 * SECTION, 10 * SECTION + 77 };

static const lab_parts parts = {
    {
        .entry = "shuffle_neighbour",
        .title = "differences of left neighbours in a warp",
        .points = 10,
        .buffers = in_out,
        .reference = neighbour_reference,
        .gates = neighbour_gates,
        .gate_sizes = gate_sizes,
        .diagnose = neighbour_diagnose,
        .todos = LAB_TODO(1),
        .hints = neighbour_hints,
    },
    {
        .entry = "shuffle_broadcast",
        .title = "the last negative element of a warp for all of its lanes",
        .points = 15,
        .buffers = in_out,
        .reference = broadcast_reference,
        .fill = fill_signs,
        .gates = broadcast_gates,
        .gate_sizes = gate_sizes,
        .diagnose = broadcast_diagnose,
        .against = "shuffle_broadcast",
        .todos = LAB_TODO(2),
        .hints = broadcast_hints,
    },
    {
        .entry = "shuffle_reduce",
        .title = "sum of a warp in every lane, by a butterfly",
        .points = 15,
        .buffers = in_out,
        .reference = reduce_reference,
        .fill = lab_fill_large,
        .gates = reduce_gates,
        .gate_sizes = gate_sizes,
        .diagnose = reduce_diagnose,
        .todos = LAB_TODO(3),
        .hints = butterfly_hints,
    },
    {
        .entry = "shuffle_scan",
        .title = "inclusive scan of a warp, guarded by a comparison",
        .points = 20,
        .buffers = in_out,
        .reference = warp_scan_reference,
        .fill = lab_fill_large,
        .gates = scan_gates,
        .gate_sizes = gate_sizes,
        .diagnose = scan_diagnose,
        .todos = LAB_TODO(4),
        .hints = scan_hints,
    },
    {
        .entry = "shuffle_scan_predicate",
        .title = "inclusive scan of a warp, guarded by the predicate of the shuffle",
        .points = 20,
        .buffers = in_out,
        .reference = warp_scan_reference,
        .fill = lab_fill_large,
        .gates = predicate_gates,
        .gate_sizes = gate_sizes,
        .diagnose = predicate_diagnose,
        .against = "shuffle_scan",
        .todos = LAB_TODO(5),
        .hints = predicate_hints,
    },
    {
        .entry = "shuffle_block_scan",
        .title = "inclusive scan of a section from scans of its warps",
        .network = "By shuffles",
        .points = 20,
        .buffers = in_out,
        .reference = block_scan_reference,
        .fill = lab_fill_large,
        .gates = block_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_diagnose,
        .against = "shared_block_scan",
        .drawn = true,
        .todos = LAB_TODO(4) | LAB_TODO(6),
        .hints = block_hints,
    },
    {
        .entry = "shared_block_scan",
        .title = "the same through shared memory (given)",
        .points = 0,
        .buffers = in_out,
        .reference = block_scan_reference,
        .fill = lab_fill_large,
        .gates = shared_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_diagnose,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Shuffle scan",
    .learned =
        "By shuffles lanes read each other's registers. A butterfly sums a warp, and lab 04's "
        "steps scan it, without buffer or barrier.",
    .file = "shuffle_scan.cu",
    .tile = SECTION,
    .threads = SECTION,
    .per_thread = 1,
    .large_n = (1 << 18) + 77, /* 1025 blocks */
    .taught = { "shared-memory accesses", "barriers", "instructions against the comparison",
                "instructions against shared memory" },
    .parts = parts,
};
