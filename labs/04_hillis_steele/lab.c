/*
 * Lab 04 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field means.
 *
 * The theory behind the gates, for a section of S = 256 elements and as many threads. In the step of stride s the
 * threads s, ..., S - 1 add: S - s additions, issued by the S/32 warps that hold one of them, all but s/32 (rounded
 * down) of S/32. Over s = 1, 2, ..., S/2:
 *     additions   S log2 S - (S - 1)           = 1793
 *     issues      8 8 8 8 8 7 6 4              =   57, so that 1793 / (32 * 57) = 0.983 of the lanes add
 *     barriers    2 a step with one buffer, 1 a step with two; log2 S = 8 steps
 * A partial last section is padded with zeros to S and so costs as much as a full one; doing less there is fine.
 */
#include <stdio.h>

#include "hillis_steele.h"
#include "lab.h"

enum { SECTION = HILLIS_STEELE_SECTION, LOG2_SECTION = 8, WARP = 32 };

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");

/* ---- reference ------------------------------------------------------------------------------------------------- */

static void inclusive_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % SECTION == 0 ? in[i] : out[i - 1] + in[i];
}

static void exclusive_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % SECTION == 0 ? 0.0f : out[i - 1] + in[i - 1];
}

/* ---- limits ---------------------------------------------------------------------------------------------------- */

static double sections(size_t n) { return (double)((n + SECTION - 1) / SECTION); }

static double additions(size_t n) { return sections(n) * (SECTION * LOG2_SECTION - (SECTION - 1)); }
static double nine_tenths(size_t n) { (void)n; return 0.9; }
static double one_buffer_barriers(size_t n) { (void)n; return 2 * LOG2_SECTION + 2; }
static double two_buffer_barriers(size_t n) { (void)n; return LOG2_SECTION + 2; }
static double four_bytes_each(size_t n) { return 4.0 * (double)n; }
static double one_sector_a_warp(size_t n) { return sections(n) * (SECTION / WARP); }
static double one(size_t n) { (void)n; return 1; }
static double zero(size_t n) { (void)n; return 0; }

#define ADDITIONS { LAB_ADDITIONS, LAB_AT_MOST, additions, "additions", \
    "S log2 S - (S - 1) = 1793 per section of S = 256, a partial one counted as full", \
    "In the step of a given stride only the threads at or beyond that stride have something to add." }
#define ADD_EFFICIENCY { LAB_ADD_EFFICIENCY, LAB_AT_LEAST, nine_tenths, "lanes adding", \
    "0.9; Hillis-Steele reaches 1793 additions / (32 lanes * 57 warp instructions) = 0.98", \
    "Most lanes of a warp idle while one adds: this is a loop or a tree, not the scan in which every thread adds at every step." }
#define BARRIERS(limit, formula, advice) { LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, limit, "barriers", formula, advice }
#define BYTES_READ { LAB_BYTES_READ, LAB_AT_MOST, four_bytes_each, "bytes read", "4n: each input once", \
    "Load each element once into shared memory and take every step there." }
#define BYTES_WRITTEN { LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each output once", \
    "Keep the sums of the steps in shared memory and store only the last ones." }
#define BANK_CONFLICTS { LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts", \
    "0: the lanes of a warp touch 32 consecutive words at every stride", \
    "Let thread t keep element t, so that neighbouring lanes read neighbouring words." }
#define SECTORS(limit, formula) { LAB_SECTOR_EXCESS, LAB_AT_MOST, limit, "extra sectors", formula, \
    "Let neighbouring threads load and store neighbouring elements." }
#define LAUNCHES { LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: sections do not depend on each other", \
    "One kernel scans all sections, a block each." }
#define ATOMICS { LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: each sum has one writer", \
    "No two threads write one element, so nothing needs an atomic." }

/* ---- diagnosis ------------------------------------------------------------------------------------------------- */

/* The sum of the last `window` elements of the section up to i. */
static float window_sum(const float *in, size_t i, size_t window)
{
    size_t first = i - i % SECTION;
    float sum = 0;

    for (size_t j = i; j + window > i && j + 1 > first; j--)
        sum += in[j];
    return sum;
}

/* Does got hold the sums of the last `window` elements, shifted right by `shift`? */
static bool is_window_scan(const lab_mismatch *m, size_t window, size_t shift)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t i = 0; i < m->length; i++) {
        float sum = i % SECTION < shift ? 0 : window_sum(in, i - shift, window);
        if (got[i] != sum)
            return false;
    }
    return true;
}

/* Every step read the loaded values and only the last step's sums survived. */
static bool is_only_last_step(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t i = 0; i < m->length; i++) {
        float sum = i % SECTION < SECTION / 2 ? in[i] : in[i] + in[i - SECTION / 2];
        if (got[i] != sum)
            return false;
    }
    return m->length > SECTION / 2;
}

static const char *steps_missing(const lab_mismatch *m, size_t shift)
{
    static _Thread_local char text[160];

    if (is_window_scan(m, 1, shift))
        return "no step was taken: the output is the input as it was loaded";
    for (size_t window = 2; window < SECTION; window *= 2)
        if (is_window_scan(m, window, shift)) {
            snprintf(text, sizeof text, "each sum covers only the last %zu elements: the step of stride %zu is missing, "
                     "the loop ends too early", window, window);
            return text;
        }
    return NULL;
}

static const char *inclusive_diagnose(const lab_mismatch *m)
{
    return steps_missing(m, 0);
}

static const char *double_buffer_diagnose(const lab_mismatch *m)
{
    if (m->length <= SECTION / 2)
        return steps_missing(m, 0);
    if (is_only_last_step(m))
        return "only the last step counts: the buffers do not change roles, so every step reads the loaded values";
    return steps_missing(m, 0);
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
        return "the last element of the section before leaks in: the first thread of every section loads 0, not only of the first";
    return steps_missing(m, 1);
}

/* ---- the lab --------------------------------------------------------------------------------------------------- */

static const size_t gate_sizes[] = { SECTION, 16 * SECTION, 10 * SECTION + 77, 0 };

#define IN_OUT { { .name = "d_in", .type = LAB_F32, .role = LAB_IN, .place = LAB_DEVICE }, \
                 { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .place = LAB_DEVICE } }

LAB_DEFINE {
    .id = LAB_ID,
    .title = "Hillis-Steele scan",
    .file = "hillis_steele.cu",
    .tile = SECTION,
    .threads = SECTION,
    .per_thread = 1,
    .parts = {
        {
            .entry = "hillis_steele_inclusive",
            .signature = "void hillis_steele_inclusive(const float *d_in, float *d_out, int n)",
            .title = "inclusive scan per section, one buffer",
            .points = 40,
            .buffers = IN_OUT,
            .buffer_count = 2,
            .reference = inclusive_reference,
            .gates = {
                ADDITIONS, ADD_EFFICIENCY,
                BARRIERS(one_buffer_barriers, "2 log2 S + 2 = 18: two a step, and one each for load and store",
                         "Two barriers a step are enough: one before the reads, one before the writes."),
                BYTES_READ, BYTES_WRITTEN, BANK_CONFLICTS,
                SECTORS(zero, "0: a warp's 32 elements fill whole sectors"),
                LAUNCHES, ATOMICS,
            },
            .gate_count = 9,
            .gate_sizes = gate_sizes,
            .diagnose = inclusive_diagnose,
        },
        {
            .entry = "hillis_steele_double_buffer",
            .signature = "void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)",
            .title = "inclusive scan per section, two buffers",
            .points = 30,
            .buffers = IN_OUT,
            .buffer_count = 2,
            .reference = inclusive_reference,
            .gates = {
                ADDITIONS, ADD_EFFICIENCY,
                BARRIERS(two_buffer_barriers, "log2 S + 2 = 10: one a step, and one each for load and store",
                         "With two buffers no step overwrites what it reads, so that one barrier a step is enough."),
                BYTES_READ, BYTES_WRITTEN, BANK_CONFLICTS,
                SECTORS(zero, "0: a warp's 32 elements fill whole sectors"),
                LAUNCHES, ATOMICS,
            },
            .gate_count = 9,
            .gate_sizes = gate_sizes,
            .diagnose = double_buffer_diagnose,
        },
        {
            .entry = "hillis_steele_exclusive",
            .signature = "void hillis_steele_exclusive(const float *d_in, float *d_out, int n)",
            .title = "exclusive scan per section, shifted on load",
            .points = 30,
            .buffers = IN_OUT,
            .buffer_count = 2,
            .reference = exclusive_reference,
            .gates = {
                ADDITIONS, ADD_EFFICIENCY,
                BARRIERS(one_buffer_barriers, "2 log2 S + 2 = 18: two a step, and one each for load and store",
                         "The shift needs no barrier of its own: each thread loads its left neighbour's element."),
                BYTES_READ, BYTES_WRITTEN, BANK_CONFLICTS,
                SECTORS(one_sector_a_warp, "1 per warp: shifted by one element, its load begins in the sector before"),
                LAUNCHES, ATOMICS,
            },
            .gate_count = 9,
            .gate_sizes = gate_sizes,
            .diagnose = exclusive_diagnose,
        },
    },
    .part_count = 3,
    .hints = {
        "In one step thread 9 reads element 8 and writes element 9, while thread 10 reads element 9. Which value of element 9 "
        "does thread 10 need, the one before the step or the one after, and what makes sure that it gets that one?",
        "Split a step in two with a barrier between: first every thread takes its left operand into a register, then every "
        "thread adds it to its own element. Another barrier parts one step from the next. Every thread meets every barrier, "
        "those with nothing to add too. With two buffers a step reads one and writes the other, and the second barrier goes.",
        "for (int stride = 1; stride < SECTION; stride *= 2) { __syncthreads(); float left = t >= stride ? s_sum[t - stride] : "
        "0.0f; __syncthreads(); if (t >= stride) s_sum[t] += left; }",
    },
};
