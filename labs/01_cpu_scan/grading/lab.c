/*
 * Declaration of lab 01: parts, reference, gate and hints. See common/lab/lab.h for what each field
 * means.
 *
 * A host lab: no engine, so no counts. The work is judged by time against the reference solution,
 * at a size where n and n^2/2 additions are thousands of times apart.
 */
#include <math.h>
#include <string.h>

#include "cpu_scan.h"
#include "lab.h"
#include "references.h"
#include "usual_gates.h"
#include "rng.h"

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Of an exclusive scan: the last element is so large that its sum with the others rounds. That sum
   is none of the results: who makes it, and takes the element away again, is off. */
static void fill_large_last(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    lab_fill_halves(data, buffer, n, seed);
    if (n > 1)
        ((float *)data)[n - 1] = 0x1p28f;
}

/* The scan by an operator that has no inverse: a running maximum, from -2^40 up, which has met
   infinity at the end. Infinity less infinity is not a number. */
static void fill_maximum(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { EXPONENTS = 80 };
    float *values = data;
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++) {
        double at = EXPONENTS * ((double)i + (double)rng_below(&generator, 1000) / 1000) /
                        (double)n -
                    EXPONENTS / 2,
               size = at < 0 ? -at : at, value = 1 + (size - (double)(int)size);
        for (int k = (int)size; k > 0; k--)
            value *= 2;
        values[i] = i > 0 && i >= n - (n + 7) / 8 ? INFINITY : (float)(at < 0 ? -value : value);
    }
}

/* Buffer 0: the numbers, multiples of 1/2 from -8 to 8 but for the first. Buffer 1: their exclusive
   scan, begun at a carry other than 0, so that adding up from 0 instead of using the given scan is
   seen. The carry and the first number are large and of opposite sign: sums that hold the carry are
   exact, and those that are made without it round. Both follow from the seed alone. */
static void fill_section(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    float *values = data, sum, first;
    rng generator;

    rng_seed(&generator, seed);
    first = (float)((1 << 30) + 256 * rng_between(&generator, 1, 1000));
    if (rng_below(&generator, 2))
        first = -first;
    sum = 256.0f * (float)rng_between(&generator, 1, 100) - first;
    for (size_t i = 0; i < n; i++) {
        float value = i == 0 ? first : (float)rng_between(&generator, -16, 16) / 2;
        values[i] = buffer == 0 ? value : sum;
        sum += value;
    }
}

/* As if element i of the numbers had been another; the first, a large one, by what does not
   round. */
static void change_section(void *const *buffers, size_t n, size_t i, int by)
{
    float *value = buffers[0], *sum = buffers[1];
    const float more = (float)by * (i == 0 ? 256.0f : 0.5f);

    value[i] += more;
    for (size_t k = i + 1; k < n; k++)
        sum[k] += more;
}

/* ---- references ------------------------------------------------------------------------------ */

static void exclusive_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1], sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = sum;
        sum += in[i];
    }
}

static void shift_reference(void *const *buffers, size_t n)
{
    const float *inclusive = buffers[0];
    float *exclusive = buffers[1];
    for (size_t i = 0; i < n; i++)
        exclusive[i] = i > 0 ? inclusive[i - 1] : 0;
}

static void add_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0], *exclusive = buffers[1];
    float *inclusive = buffers[2];
    for (size_t i = 0; i < n; i++)
        inclusive[i] = exclusive[i] + in[i];
}

static void recurrence_reference(void *const *buffers, size_t n)
{
    const float *a = buffers[0], *b = buffers[1];
    float *out = buffers[2], sum = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = sum += a[i] * b[i];
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

/* Is got what candidate() gives for every element? Candidates walk the arrays once, keeping their
   state in *sum. */
typedef float (*candidate)(const lab_mismatch *m, size_t i, float *sum);

static bool follows(const lab_mismatch *m, candidate value)
{
    const float *got = m->got;
    float sum = 0;
    for (size_t i = 0; i < m->length; i++)
        if (got[i] != value(m, i, &sum))
            return false;
    return true;
}

static float same_value(const lab_mismatch *m, size_t i, float *sum)
{
    (void)sum;
    return ((const float *)m->inputs[0])[i];
}

static float section_from_zero(const lab_mismatch *m, size_t i, float *sum)
{
    return *sum += ((const float *)m->inputs[0])[i];
}

static float given_exclusive(const lab_mismatch *m, size_t i, float *sum)
{
    (void)sum;
    return ((const float *)m->inputs[1])[i];
}

static float scan_of_exclusive(const lab_mismatch *m, size_t i, float *sum)
{
    return *sum += ((const float *)m->inputs[1])[i];
}

static float map_only(const lab_mismatch *m, size_t i, float *sum)
{
    (void)sum;
    return ((const float *)m->inputs[0])[i] * ((const float *)m->inputs[1])[i];
}

static float recurrence_shifted(const lab_mismatch *m, size_t i, float *sum)
{
    const float before = *sum;
    *sum += map_only(m, i, sum);
    return before;
}

static float map_of_scan(const lab_mismatch *m, size_t i, float *sum)
{
    *sum += ((const float *)m->inputs[0])[i];
    return *sum * ((const float *)m->inputs[1])[i];
}

/* A shift in place from left to right: the first value moves on and on. What moves is the result at
   1 where it is right. */
static bool moved_on(const lab_mismatch *m)
{
    const float *expected = m->expected, *got = m->got;

    if (m->length < 3 || got[0] != 0)
        return false;
    for (size_t i = 1; i < m->length; i++)
        if (got[i] != expected[1])
            return false;
    return true;
}

static const char *diagnose_exclusive(const lab_mismatch *m)
{
    if (moved_on(m))
        return "every place holds the first sum: when you shift from left to right in one array, "
               "each "
               "element is overwritten before it has been moved; go from right to left, or keep it "
               "in a variable";
    return NULL;
}

/* Are the wrong ones what infinity less infinity gives, and besides what a subtraction rounds? */
static bool took_away_infinity(const lab_mismatch *m)
{
    const float *inclusive = m->inputs[0], *expected = m->expected, *got = m->got;
    size_t infinite = 0;

    for (size_t i = 0; i < m->length; i++) {
        const float off = fabsf(got[i] - expected[i]);
        uint32_t bits;
        memcpy(&bits, &got[i], sizeof bits);
        if (isinf(inclusive[i]) && (bits & 0x7fffffff) == 0x7fc00000)
            infinite++;
        else if (got[i] != expected[i] && !(off <= fabsf(inclusive[i]) / 1000))
            return false;
    }
    return infinite > 0;
}

/* in[i] is taken away again from the sum that it is part of. */
static float taken_away(const lab_mismatch *m, size_t i, float *sum)
{
    const float value = ((const float *)m->inputs[0])[i];

    *sum += value;
    return *sum - value;
}

static const char *diagnose_exclusive_scan(const lab_mismatch *m)
{
    if (follows(m, section_from_zero))
        return "an inclusive scan where an exclusive one is asked for: out[i] lacks in[i], so "
               "store the sum before in[i] joins it";
    if (follows(m, taken_away))
        return "each sum is made with in[i], which is then taken away again: that is twice as many "
               "additions, and what was rounded is lost; store the sum before in[i] joins it";
    return diagnose_exclusive(m);
}

static const char *diagnose_shift(const lab_mismatch *m)
{
    if (took_away_infinity(m))
        return "a sum was taken apart again by a subtraction, and infinity less infinity is no "
               "number: the exclusive scan is there already, one place to the left, and nothing "
               "has to be added or subtracted, so that it works for max as well";
    if (follows(m, same_value))
        return "the inclusive scan came back unchanged: an exclusive scan is the same sums one "
               "place to the right, with 0 in front";
    return diagnose_exclusive(m);
}

/* The numbers summed from 0, and the carry added to each sum. */
static float carry_added_last(const lab_mismatch *m, size_t i, float *sum)
{
    *sum += ((const float *)m->inputs[0])[i];
    return *sum + ((const float *)m->inputs[1])[0];
}

static const char *diagnose_add(const lab_mismatch *m)
{
    if (m->n > 1 && follows(m, carry_added_last))
        return "in was scanned once more and exclusive[0] added to every sum: two additions an "
               "element, of which the first rounds; exclusive[i] is a sum already, add in[i] to it";
    if (follows(m, section_from_zero))
        return "the sums begin at 0 instead of exclusive[0]: add to the scan you are given, do not "
               "begin a new one";
    if (follows(m, given_exclusive))
        return "the exclusive scan came back unchanged: inclusive[i] also holds in[i]";
    if (follows(m, scan_of_exclusive))
        return "the exclusive scan was scanned once more: its sums are complete, each lacks only "
               "in[i]";
    return NULL;
}

static const char *diagnose_recurrence(const lab_mismatch *m)
{
    if (follows(m, map_only))
        return "out[j] holds f(j) alone: the map is done, the scan over it is missing";
    if (m->n > 1 && follows(m, map_of_scan))
        return "a was scanned and then multiplied by b: first the map, a[j] * b[j], then the scan "
               "over its results";
    if (follows(m, recurrence_shifted))
        return "out[j] stops at f(j-1): an exclusive scan where the recurrence asks for an "
               "inclusive one";
    return NULL;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Times the reference solution's time. Every linear version does the same n additions, so it
   differs by a constant: keeping the sum in out[] instead of a register puts a store and a load
   into the chain of additions (4.1 x, measured at -O1; at -O2 the compiler mends it), an extra pass
   over the data costs less. A quadratic version does n/2 times as many additions: 4096 x at n =
   2^13. 16 is four times the one and far below the other, so noise on a busy machine decides
   nothing. */
LIMIT(linear_limit, 16)

#define LINEAR_TIME                                                                                \
    LAB_RATIO_NATIVE, LAB_AT_MOST, linear_limit, "time",                                           \
        "16 x the reference solution's time; n^2/2 additions would take about n/2 x as long",      \
        "Every output seems to add up its inputs from the start: carry one running sum along."

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints running_sum_hints = {
    "You know the sum of the first i elements. How many additions does the sum of the first i + 1 "
    "take?",
    "Carry one running sum from left to right. Inclusive or exclusive is decided by one thing "
    "only: do you store the sum after or before the element joins it?",
    "Begin with a sum of ___. Then one loop over i, from left to right, with two statements: one "
    "lets in[i] join the sum, one stores the sum in out[i]. Which comes first for inclusive? For "
    "exclusive it is the other one.",
};
static const lab_hints shift_hints = {
    "Write both scans of 3 1 7 below each other. Where does each number of the exclusive one "
    "stand in the inclusive one?",
    "The exclusive scan is the inclusive one moved right by one place, with 0 in front. Nothing "
    "is added, and nothing is taken away.",
    "For every i: exclusive[i] is the element ___ of the inclusive scan, if there is one to the "
    "left, and ___ if i is 0.",
};
static const lab_hints one_term_hints = {
    "exclusive[i] has all elements left of i. Which one term does inclusive[i] have besides?",
    ("Each element needs one addition of its own, and no sum is carried along: all that comes "
     "before i is in exclusive[i] already, also where exclusive[0] is not 0."),
    "For every i, on its own: inclusive[i] is exclusive[i] plus ___. There is no case for i = 0.",
};
static const lab_hints recurrence_hints = {
    "Write out[2] without out[1] and out[0], as one sum. What is added up?",
    "Two steps. A map makes n products that do not depend on each other; an inclusive scan adds "
    "them up. Your scan of TODO 1 works in place if it reads an element before it writes it.",
    "A loop stores in out[j] the product of ___ and ___. Then no loop of your own: call the "
    "function of TODO 1 with ___ for its input and ___ for its output.",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define INPUT(label)  .name = label, .type = LAB_F32, .role = LAB_IN, .place = LAB_HOST
#define OUTPUT(label) .name = label, .type = LAB_F32, .role = LAB_OUT, .place = LAB_HOST

static const lab_buffers scan_buffers = { { INPUT("in") }, { OUTPUT("out") } };
static const lab_buffers shift_buffers = { { INPUT("inclusive") }, { OUTPUT("exclusive") } };
static const lab_buffers add_buffers = { { INPUT("in") },
                                         { INPUT("exclusive") },
                                         { OUTPUT("inclusive") } };
static const lab_buffers recurrence_buffers = { { INPUT("a") }, { INPUT("b") }, { OUTPUT("out") } };

static const lab_gates linear_gates = { { LINEAR_TIME } };
static const lab_sizes timed_sizes = { 1 << 11, 1 << 13 };

static const lab_parts parts = {
    {
        .entry = "cpu_scan_inclusive",
        .title = "inclusive scan",
        .points = 20,
        .buffers = scan_buffers,
        .reference = scan_f32_reference,
        .fill = lab_fill_halves,
        .gates = linear_gates,
        .in_place = 1,
        .gate_sizes = timed_sizes,
        .todos = LAB_TODO(1),
        .hints = running_sum_hints,
    },
    {
        .entry = "cpu_scan_exclusive",
        .title = "exclusive scan",
        .points = 20,
        .buffers = scan_buffers,
        .reference = exclusive_reference,
        .fill = fill_large_last,
        .gates = linear_gates,
        .gate_sizes = timed_sizes,
        .diagnose = diagnose_exclusive_scan,
        .todos = LAB_TODO(2),
        .hints = running_sum_hints,
    },
    {
        .entry = "cpu_exclusive_from_inclusive",
        .title = "exclusive from inclusive",
        .points = 20,
        .buffers = shift_buffers,
        .reference = shift_reference,
        .fill = fill_maximum,
        .gates = linear_gates,
        .gate_sizes = timed_sizes,
        .diagnose = diagnose_shift,
        .todos = LAB_TODO(3),
        .hints = shift_hints,
    },
    {
        .entry = "cpu_inclusive_from_exclusive",
        .title = "inclusive from exclusive",
        .points = 20,
        .buffers = add_buffers,
        .reference = add_reference,
        .fill = fill_section,
        .change = change_section,
        .gates = linear_gates,
        .gate_sizes = timed_sizes,
        .diagnose = diagnose_add,
        .todos = LAB_TODO(4),
        .hints = one_term_hints,
    },
    {
        .entry = "cpu_recurrence",
        .title = "a recurrence as map and scan",
        .points = 20,
        .buffers = recurrence_buffers,
        .reference = recurrence_reference,
        .fill = lab_fill_halves,
        .gates = linear_gates,
        .gate_sizes = timed_sizes,
        .diagnose = diagnose_recurrence,
        .todos = LAB_TODO(1) | LAB_TODO(5),
        .hints = recurrence_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Sequential scan on the CPU",
    .learned =
        "A scan makes all running sums. An exclusive one is the inclusive one moved right by "
        "one, and a recurrence is a map, then a scan.",
    .file = "cpu_scan.cu",
    .tile = 256, /* no blocks here; it only spaces the case sizes */
    .threads = 0,
    .per_thread = 1,
    .large_n = (1 << 15) + 77,
    .taught = { "time" },
    .parts = parts,
};
