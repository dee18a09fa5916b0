/*
 * Declaration of lab 04: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a section of S = 256 elements and as many threads. In the step
 * of stride s the threads s, ..., S - 1 add: S - s additions, issued by the S/32 warps that hold
 * one of them, all but s/32 (rounded down) of S/32. Over s = 1, 2, ..., S/2:
 *     additions   S log2 S - (S - 1)           = 1793
 *     issues      8 8 8 8 8 7 6 4              =   57, so that 1793 / (32 * 57) = 0.983 of the
 *                 lanes add
 *     barriers    2 a step with one buffer, 1 a step with two; log2 S = 8 steps
 * A partial last section is padded with zeros to S and so costs as much as a full one; doing less
 * there is fine.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hillis_steele.h"

enum { SECTION = HILLIS_STEELE_SECTION, LOG2_SECTION = 8, WARP = 32 };

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");

#include "section_scans.h"

/* ---- limits ---------------------------------------------------------------------------------- */

static double additions(size_t n) { return sections(n) * (SECTION * LOG2_SECTION - (SECTION - 1)); }
LIMIT(block_threads, SECTION)
static double eight_tenths(size_t n) { return 0.8 * filled(n, SECTION); }
static double one_buffer_barriers(size_t n) { return (2 * LOG2_SECTION + 4) * sections(n); }
static double two_buffer_barriers(size_t n) { return (LOG2_SECTION + 4) * sections(n); }
static double one_sector_a_warp(size_t n) { return sections(n) * (SECTION / WARP); }

#define ADDITIONS(more)                                                                            \
    LAB_ADDITIONS, LAB_AT_MOST, additions, "additions",                                            \
        "S log2 S - (S - 1) = 1793 per section of S = 256, as many for a shorter last one",        \
        "In the step of a given stride only the threads at or beyond that stride have something "  \
        "to add." more
#define ADD_EFFICIENCY                                                                             \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, eight_tenths, "lanes adding",                                \
        "0.8; Hillis-Steele reaches 1793 additions / (32 lanes * 57 warp instructions) = 0.98: "   \
        "in its steps 8, 8, 8, 8, 8, 7, 6 and 4 warps add",                                        \
        "Most lanes of a warp idle while one adds: this is a loop or a tree, not the scan in "     \
        "which every thread adds at every step."
#define BARRIERS(limit, formula, advice)                                                           \
    LAB_BARRIERS, LAB_AT_MOST, limit, "barriers", formula, advice
#define BANK_CONFLICTS                                                                             \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                       \
        "0: the lanes of a warp touch 32 consecutive words at every stride",                       \
        "Let thread t keep element t, so that neighbouring lanes read neighbouring words."

/* ---- diagnosis: the section as some well-known slips leave it -------------------------------- */

typedef enum slip {
    STEPS_CUT,   /* no step from stride `detail` on */
    OFF_BY_ONE,  /* t > stride where t >= stride is meant */
    NOT_SWAPPED, /* every step reads the loaded values; the last one's sums come out */
    NOT_COPIED   /* two buffers, and only the threads that add write the next one */
} slip;

/* Takes the steps in order, each from the buffer of the one before. Words that were never written
   are NaN. */
static void slipped_scan(float sum[SECTION], slip kind, size_t detail)
{
    float before[SECTION], other[SECTION];

    for (size_t t = 0; t < SECTION; t++)
        other[t] = NAN;
    memcpy(before, sum, sizeof before);
    for (size_t stride = 1; stride < (kind == STEPS_CUT ? detail : SECTION); stride *= 2) {
        if (kind != NOT_SWAPPED)
            memcpy(before, sum, sizeof before);
        if (kind == NOT_COPIED) {
            memcpy(sum, other, sizeof other);
            memcpy(other, before, sizeof other);
        }
        for (size_t t = kind == OFF_BY_ONE ? stride + 1 : stride; t < SECTION; t++)
            sum[t] = before[t] + before[t - stride];
    }
    if (kind == NOT_SWAPPED)
        memcpy(sum, before, SECTION / 2 * sizeof *sum);
}

/* Does got hold, in every section, what this slip leaves of the input shifted right by `shift`? */
static bool is_slip(const lab_mismatch *m, size_t shift, slip kind, size_t detail)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->length; first += SECTION) {
        float sum[SECTION] = { 0 };
        size_t count = m->length - first < SECTION ? m->length - first : SECTION;

        for (size_t t = shift; t < count; t++)
            sum[t] = in[first + t - shift];
        slipped_scan(sum, kind, detail);
        for (size_t t = 0; t < count; t++)
            if (got[first + t] != sum[t] && !isnan(sum[t]))
                return false;
    }
    return true;
}

static const char *steps_diagnose(const lab_mismatch *m, size_t shift)
{
    static _Thread_local char text[160];

    for (size_t stride = 2; stride < SECTION; stride *= 2)
        if (is_slip(m, shift, STEPS_CUT, stride)) {
            snprintf(text, sizeof text,
                     "each sum covers only the last %zu elements: the loop ends before the step of "
                     "stride %zu",
                     stride, stride);
            return text;
        }
    if (is_slip(m, shift, OFF_BY_ONE, 0))
        return "thread t = stride does not add: its left operand is element 0, which the section "
               "does have";
    return NULL;
}

static const char *inclusive_diagnose(const lab_mismatch *m)
{
    if (m->length > 2 &&
        is_slip(m, 0, STEPS_CUT, 1)) /* two elements look the same for many slips */
        return "no step was taken: the output is the input as it was loaded";
    return steps_diagnose(m, 0);
}

static const char *double_buffer_diagnose(const lab_mismatch *m)
{
    if (m->length > 2 && is_slip(m, 0, STEPS_CUT, 1))
        return "the output is the input as it was loaded: no step was taken, or the buffers never "
               "change roles";
    if (m->length > SECTION / 2 && is_slip(m, 0, NOT_SWAPPED, 0))
        return "only the last step counts: the buffers never change roles, so every step reads the "
               "loaded values";
    if (m->length > SECTION / 2 && is_slip(m, 0, STEPS_CUT, SECTION / 2))
        return "each sum covers only the last 128 elements: the step of stride 128 is missing, or "
               "the store reads the buffer which that step has read, and not the one it wrote";
    if (is_slip(m, 0, NOT_COPIED, 0))
        return "a finished sum stays in the old buffer: threads with nothing to add must "
               "copy theirs to the new one";
    return steps_diagnose(m, 0);
}

static const char *exclusive_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *expected = m->expected, *got = m->got;
    bool leaks = m->length > SECTION;

    for (size_t i = 0; i < m->length && leaks; i++) {
        size_t first = i - i % SECTION;
        leaks = got[i] == expected[i] + (first > 0 ? in[first - 1] : 0);
    }
    if (leaks)
        return "the last element of the section before leaks in: the first thread of every section "
               "loads 0, not only the very first";
    if (m->length > 3 && is_slip(m, 1, STEPS_CUT, 1))
        return "no step was taken: the output is the input as it was loaded, shifted by one";
    return steps_diagnose(m, 1);
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints one_buffer_hints = {
    "In one step thread 9 reads element 8 and writes element 9, while thread 10 reads element 9. "
    "Which value of element 9 does thread 10 need, the one before the step or the one after? What "
    "makes sure that it gets that one?",
    "Split a step in two with a barrier between: first every thread takes its left operand into a "
    "register, then every thread adds it to its own element. Another barrier stands between one "
    "step and the next. Every thread meets every barrier, even if it has nothing to add.",
    "for strides 1, 2, 4, ... below SECTION:\n"
    "    a barrier: the step before is complete\n"
    "    left = element ___, if the section reaches that far to the left\n"
    "    a barrier: ___\n"
    "    if it reaches that far: add left to ___",
};
static const lab_hints two_buffers_hints = {
    "A step reads one buffer and writes the other, which the next step reads: which elements must "
    "be there by then? And which of the two barriers of the first part has lost its reason?",
    "Nobody overwrites what another thread still reads in the same step, so one barrier a step is "
    "enough. But the next step reads the other buffer: every element has to be there, also one to "
    "which nothing was added.",
    "for strides 1, 2, 4, ... below SECTION:\n"
    "    a barrier\n"
    "    sum = my element of buffer `from`\n"
    "    if the section reaches that far: sum += element ___ of buffer ___\n"
    "    store sum in buffer ___, whether or not something was added\n"
    "    `from` becomes ___",
};
static const lab_hints shifted_load_hints = {
    "The exclusive scan of a section begins with 0, and the section's last element is in none of "
    "its sums. Which element should thread t load, so that the steps of the first part come out "
    "exclusive?",
    "Shift while loading: thread t takes the element to the left of its own, and the first thread "
    "of each section takes 0. The steps and the store stay as they are.",
    "Thread t puts into s_sum[t]: 0 if t is ___, or if its own i is ___; else the element ___ of "
    "d_in.",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT },
};

#define TWO_A_STEP                                                                                 \
    "2 log2 S + 4 = 20 per section: two a step, one each for load and store, and two spare"
#define ONE_A_STEP                                                                                 \
    "log2 S + 4 = 12 per section: one a step, one each for load and store, and two spare"

static const lab_gates inclusive_gates = {
    { INCLUSIVE_ADDITIONS_MADE },
    { ADDITIONS("") },
    { ADD_EFFICIENCY },
    { BARRIERS(one_buffer_barriers, TWO_A_STEP,
               "Two barriers a step are enough: one before the reads, one before the writes.") },
    { BYTES_READ },
    { BYTES_WRITTEN },
    { ALL_IN_FLOAT },
    { BANK_CONFLICTS },
    { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, block_threads, "256"),
};

static const lab_gates double_buffer_gates = {
    { INCLUSIVE_ADDITIONS_MADE },
    { ADDITIONS("") },
    { ADD_EFFICIENCY },
    { BARRIERS(
        two_buffer_barriers, ONE_A_STEP,
        "With two buffers no step overwrites what it reads, so one barrier a step is enough.") },
    { BYTES_READ },
    { BYTES_WRITTEN },
    { ALL_IN_FLOAT },
    { BANK_CONFLICTS },
    { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, block_threads, "256"),
};

static const lab_gates exclusive_gates = {
    { EXCLUSIVE_ADDITIONS_MADE },
    { ADDITIONS(" The scan comes out exclusive because the elements are shifted when loaded: "
                "subtract nothing.") },
    { ADD_EFFICIENCY },
    { BARRIERS(
        one_buffer_barriers, TWO_A_STEP,
        "The shift needs no barrier of its own: each thread loads its left neighbour's element.") },
    { BYTES_READ },
    { BYTES_WRITTEN },
    { ALL_IN_FLOAT },
    { BANK_CONFLICTS },
    { LAB_SECTOR_EXCESS, LAB_AT_MOST, one_sector_a_warp, "extra sectors",
      "1 per warp: shifted by one element, its load begins in the sector before",
      "Let neighbouring threads load and store neighbouring elements." },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, block_threads, "256"),
};

static const lab_sizes gate_sizes = { SECTION, 16 * SECTION, 10 * SECTION + 77 };

static const lab_parts parts = {
    {
        .entry = "hillis_steele_inclusive",
        .title = "inclusive scan per section, one buffer",
        .network = "Hillis-Steele",
        .points = 40,
        .buffers = in_out,
        .reference = inclusive_reference,
        .fill = lab_fill_large,
        .gates = inclusive_gates,
        .gate_sizes = gate_sizes,
        .diagnose = inclusive_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1),
        .hints = one_buffer_hints,
    },
    {
        .entry = "hillis_steele_double_buffer",
        .title = "inclusive scan per section, two buffers",
        .points = 30,
        .buffers = in_out,
        .reference = inclusive_reference,
        .fill = lab_fill_large,
        .gates = double_buffer_gates,
        .gate_sizes = gate_sizes,
        .diagnose = double_buffer_diagnose,
        .drawn = true,
        .todos = LAB_TODO(2),
        .hints = two_buffers_hints,
    },
    {
        .entry = "hillis_steele_exclusive",
        .title = "exclusive scan per section, shifted on load",
        .points = 30,
        .buffers = in_out,
        .reference = exclusive_reference,
        .fill = lab_fill_large,
        .gates = exclusive_gates,
        .gate_sizes = gate_sizes,
        .diagnose = exclusive_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(3),
        .hints = shifted_load_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Hillis-Steele scan",
    .learned =
        "A scan takes log2 S steps, but S log2 S additions. One buffer has two hazards, each "
        "with its barrier; with two buffers one is enough.",
    .file = "hillis_steele.cu",
    .tile = SECTION,
    .threads = SECTION,
    .per_thread = 1,
    .taught = { "additions", "lanes adding", "barriers" },
    .parts = parts,
};
