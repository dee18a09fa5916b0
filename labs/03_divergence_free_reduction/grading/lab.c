/*
 * Declaration of lab 03: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a section of S = 512 elements and S/2 = 256 threads, 8 warps. In
 * the step of stride s the first s threads add: whole warps as long as s >= 32, S/32 - 1 = 15 of
 * them over all such steps; after that one warp with 16, 8, 4, 2, 1 of its 32 lanes:
 *     additions   256 128 64 32   16 8 4 2 1   = S - 1 = 511
 *     issues        8   4  2  1    1 1 1 1 1   = S/32 + 4 = 20, so that 511 / (32 * 20) = (S - 1) /
 *                   (S + 128) = 0.798
 *     barriers    one a step, log2 S = 9, and three to spare
 * Any mapping that keeps the active threads at the front gets there. Only one in which the lanes of
 * a warp also access neighbouring words does so without bank conflicts: with place 2 s t for thread
 * t, gcd(2 s, 32) lanes share a bank. A partial last section is padded with zeros to S and so costs
 * as much as a full one; doing less there is fine.
 */
#include "divergence_free_reduction.h"

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
    return filled(n, SECTION) * (SECTION - 1) / (WARP * (SECTION / WARP + 4.0));
}

#define ADD_EFFICIENCY                                                                             \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, efficiency, "lanes adding",                                  \
        "511 / (20 * 32) = 0.798 of the lanes: 8 + 4 + 2 + 1 warps with all lanes, then 5 with "   \
        "16, 8, 4, 2, 1",                                                                          \
        "Divergence: warps add with some of their lanes only. Let the threads that add be the "    \
        "first of the block, t < stride."
#define BANK_CONFLICTS                                                                             \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                       \
        "0: the lanes of a warp touch 32 consecutive words in each step",                          \
        "Where neighbouring lanes are an even number of words apart, some of the warp's share a "  \
        "bank: at 2 words, lanes k and k + 16. Let thread t own place t, not place 2t or "         \
        "2 * stride * t."

/* ---- diagnosis ------------------------------------------------------------------------------- */

static const char *partial_diagnose(const lab_mismatch *m)
{
    return partial_cause(m, "each sum covers only the first 256 elements of its section: the step "
                            "of stride 256 is missing");
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints front_hints = {
    "A step has 64 additions to make. How many warps issue the addition if the threads are 0, 4, "
    "8 ... 252, and how many if they are 0, 1, 2 ... 63?",
    "The order of the additions is free. So let the first s threads add: thread t adds place t + "
    "s to place t. The sums move to the front, neighbouring lanes touch neighbouring words, and "
    "the next step has half as many. The largest stride comes first.",
    "for strides ___, half of that, ... 1:\n"
    "    a barrier that all threads meet\n"
    "    if t is below ___:\n"
    "        place t += place ___\n"
    "the thread that made the last addition stores it: no barrier is needed. Why?",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_gates partial_gates = { PARTIAL_GATES, { ADD_EFFICIENCY }, { BANK_CONFLICTS } };

static const lab_parts parts = {
    {
        .entry = "reduce_compacted_partial",
        .title = "one partial sum for each section",
        .points = 80,
        .buffers = partial_buffers,
        .reference = partial_reference,
        .fill = lab_fill_rising,
        .gates = partial_gates,
        .gate_sizes = partial_sizes,
        .diagnose = partial_diagnose,
        .todos = LAB_TODO(1) | LAB_TODO(2),
        .hints = front_hints,
    },
    {
        .entry = "reduce_compacted_total",
        .title = "the sum of all, launch after launch",
        .points = 20,
        .buffers = total_buffers,
        .reference = total_reference,
        .fill = lab_fill_rising,
        .gates = total_gates,
        .gate_sizes = total_sizes,
        .diagnose = total_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2),
        .hints = front_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Divergence-free reduction",
    .learned = "The order of a sum is free. If the first threads of a block add, warps are full or "
               "skip the step, and lanes side by side share no bank.",
    .file = "divergence_free_reduction.cu",
    .tile = SECTION,
    .threads = BLOCK,
    .per_thread = SECTION / BLOCK,
    .large_n = SECTION * SECTION + 77, /* three launches */
    .taught = { "lanes adding", "bank conflicts", "additions" },
    .parts = parts,
};
