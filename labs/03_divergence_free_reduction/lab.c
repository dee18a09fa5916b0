/*
 * Lab 03 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field
 * means.
 *
 * The theory behind the gates, for a section of S = 512 elements and S/2 = 256 threads, 8 warps. In
 * the step of stride s the first s threads add: whole warps as long as s >= 32, S/32 - 1 = 15 of
 * them over all such steps; after that one warp with 16, 8, 4, 2, 1 of its 32 lanes:
 *     additions   256 128 64 32   16 8 4 2 1   = S - 1 = 511
 *     issues        8   4  2  1    1 1 1 1 1   = S/32 + 4 = 20, so that 511 / (32 * 20) = (S - 1) /
 *                   (S + 128) = 0.798
 *     barriers    one a step, log2 S = 9, and one to spare
 * Any mapping that keeps the active threads at the front gets there. Only one in which the lanes of
 * a warp also access neighbouring words does so without bank conflicts: with place 2 s t for thread
 * t, gcd(2 s, 32) lanes share a bank. A partial last section is padded with zeros to S and so costs
 * as much as a full one; doing less there is fine.
 */
#include "divergence_free_reduction.h"
#include "lab.h"

enum {
    SECTION = DIVERGENCE_FREE_SECTION,
    BLOCK = DIVERGENCE_FREE_BLOCK,
    LOG2_SECTION = 9,
    WARP = 32
};

#include "section_sums.h"

/* ---- limits of this lab's own ---------------------------------------------------------------- */

static double efficiency(size_t n)
{
    (void)n;
    return (SECTION - 1) / (WARP * (SECTION / WARP + 4.0));
}

#define ADD_EFFICIENCY                                                                             \
    {                                                                                              \
        LAB_ADD_EFFICIENCY, LAB_AT_LEAST, efficiency, "lanes adding",                              \
            "(S - 1) / (S + 128) of the lanes: whole warps down to stride 32, then 16, 8, 4, 2, "  \
            "1 lanes of one",                                                                      \
            "Divergence: warps add with some of their lanes only. Let the threads that add be "    \
            "the first of the block, t < stride."                                                  \
    }
#define BANK_CONFLICTS                                                                             \
    {                                                                                              \
        LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                   \
            "0: the lanes of a warp touch 32 consecutive words in each step",                      \
            "Lanes an even number of words apart share banks: let thread t own place t, not "      \
            "place 2t or 2 * stride * t."                                                          \
    }

/* ---- diagnosis ------------------------------------------------------------------------------- */

static const char *partial_diagnose(const lab_mismatch *m)
{
    return partial_cause(m, "each sum covers only the first 256 elements of its section: the step "
                            "of stride 256 is missing");
}

/* ---- the lab --------------------------------------------------------------------------------- */

static const size_t partial_gate_sizes[] = { SECTION, 16 * SECTION, 0 };
static const size_t total_gate_sizes[] = { SECTION, 16 * SECTION, SECTION *SECTION + 77, 0 };

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Divergence-free reduction",
    .file = "divergence_free_reduction.cu",
    .tile = SECTION,
    .threads = BLOCK,
    .per_thread = SECTION / BLOCK,
    .large_n = SECTION * SECTION + 77,  /* three launches */
    .parts = {
        {
            .entry = "reduce_compacted_partial",
            .signature = "void reduce_compacted_partial(const float *d_in, float *d_partial, int n)",
            .title = "one partial sum for each section",
            .points = 80,
            .buffers = {
                { .name = "d_in", .type = LAB_F32, .role = LAB_IN, .place = LAB_DEVICE },
                { .name = "d_partial", .type = LAB_F32, .role = LAB_OUT, .place = LAB_DEVICE, .length = sections,
                  .owner = LAB_BY_BLOCK },
            },
            .buffer_count = 2,
            .reference = partial_reference,
            .fill = lab_fill_halves,
            .gates = {
                ADDITIONS_MADE(least_partial_additions, "n - ceil(n / S): all elements of a section but one are added to another"),
                ADDITIONS(partial_additions, "S - 1 = 511 per section of S = 512, a partial one counted as full"),
                ADD_EFFICIENCY,
                BANK_CONFLICTS,
                BARRIERS(partial_barriers),
                BYTES_READ(partial_bytes_read, "4n: each input once"),
                BYTES_WRITTEN(partial_bytes_written, "4 ceil(n / S): one sum per section"),
                LAUNCHES(one, "1: sections do not depend on each other"),
                ATOMICS,
            },
            .gate_count = 9,
            .gate_sizes = partial_gate_sizes,
            .diagnose = partial_diagnose,
        },
        {
            .entry = "reduce_compacted_total",
            .signature = "void reduce_compacted_total(const float *d_in, float *d_sum, int n)",
            .title = "the sum of all, launch after launch",
            .points = 20,
            .buffers = {
                { .name = "d_in", .type = LAB_F32, .role = LAB_IN, .place = LAB_DEVICE },
                { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .place = LAB_DEVICE, .length = one_value,
                  .owner = LAB_BY_GRID },
            },
            .buffer_count = 2,
            .reference = total_reference,
            .fill = lab_fill_halves,
            .diagnose = total_diagnose,
            .gates = {
                ADDITIONS_MADE(least_total_additions, "n - 1: all elements but one are added to another"),
                ADDITIONS(total_additions, "S - 1 = 511 per section, the sections of all launches"),
                BARRIERS(total_barriers),
                BYTES_READ(total_bytes_read, "4 (n + ceil(n / S) + ceil(n / S^2) + ...), as far as more than one is left"),
                BYTES_WRITTEN(total_bytes_written, "4 (ceil(n / S) + ceil(n / S^2) + ... + 1)"),
                LAUNCHES(launches, "the least k with S^k >= n"),
                LAUNCHES_MADE,
                ATOMICS,
                NOTHING_LEFT,
            },
            .gate_count = 9,
            .gate_sizes = total_gate_sizes,
        },
    },
    .part_count = 2,
    .hints = {
        "A step has 64 additions to make. How many warps issue the addition if the threads are 0, 4, 8 ... 252, and how many if they are 0, 1, 2 ... 63?",
        "The order of the additions is free. So let the first s threads add what lies s places further on, place t + s to place t: the sums move to the front, neighbouring lanes touch neighbouring words, and the next step has half as many. The largest stride comes first.",
        "for (unsigned stride = BLOCK; stride > 0; stride /= 2) { __syncthreads(); if (t < stride) s_sum[t] += s_sum[t + stride]; }",
    },
};
