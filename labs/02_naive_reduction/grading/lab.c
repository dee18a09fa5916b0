/*
 * Declaration of lab 02: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a section of S = 512 elements and S/2 = 256 threads, 8 warps. In
 * the step of stride s the threads that are multiples of s add: S/(2s) additions. Up to s = 32
 * every warp has at least one such thread, so all 8 issue the addition; beyond that one thread in
 * each second, fourth ... warp is left:
 *     additions   256 128 64 32 16 8   4 2 1   = S - 1 = 511
 *     issues        8   8  8  8  8 8   4 2 1   = 7S/64 - 1 = 55, so that 511 / (32 * 55) = 0.290 of
 *                   the lanes add
 *     barriers    one a step, log2 S = 9, and three to spare
 * A partial last section is padded with zeros to S and so costs as much as a full one; doing less
 * there is fine.
 */
#include <string.h>

#include "naive_reduction.h"

enum {
    SECTION = NAIVE_REDUCTION_SECTION,
    BLOCK = NAIVE_REDUCTION_BLOCK,
    LOG2_SECTION = 9,
    WARP = 32
};

#include "section_sums.h"

/* ---- limits of this lab's own ---------------------------------------------------------------- */

static double efficiency(size_t n)
{
    return filled(n, SECTION) * (SECTION - 1) / (WARP * (7 * SECTION / 64 - 1.0));
}

#define ADD_EFFICIENCY                                                                             \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, efficiency, "lanes adding",                                  \
        "(S - 1) / (32 (7S/64 - 1)) = 0.29 of the lanes, as this tree has; lab 03 has more",       \
        "This is less parallel than the naive tree: let all threads whose index is a multiple of " \
        "the stride add at once."

/* ---- diagnosis ------------------------------------------------------------------------------- */

/* Trees as some slips make them: which threads add, and to which place. */
typedef enum tree {
    OWN_PLACES,   /* the multiples of the stride, thread t to place t */
    BELOW_STRIDE, /* the threads below the stride, thread t to place t */
    OF_TWICE,     /* the multiples of twice the stride */
    NEIGHBOURS,   /* place 2t + 1 is added, whatever the stride */
    BY_ONE        /* strides 1, 2, 3, ..., as far as there are places */
} tree;

static void add_up(tree kind, float *place)
{
    for (unsigned stride = 1; stride <= BLOCK; stride = kind == BY_ONE ? stride + 1 : 2 * stride) {
        float left[SECTION];
        memcpy(left, place, sizeof left);
        for (unsigned t = 0; t < BLOCK; t++) {
            const unsigned own = kind == OWN_PLACES || kind == BELOW_STRIDE ? t : 2 * t,
                           other = own + (kind == NEIGHBOURS ? 1 : stride);
            const bool adds = kind == BELOW_STRIDE ? t < stride
                              : kind == OF_TWICE   ? t % (2 * stride) == 0
                                                   : t % stride == 0;
            if (adds && other < SECTION)
                place[own] = left[own] + left[other];
        }
    }
}

/* Does each sum come from such a tree? */
static bool is_tree(const lab_mismatch *m, tree kind)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t b = 0; b < m->length; b++) {
        float place[SECTION] = { 0 };
        for (size_t k = 0; k < SECTION && b * SECTION + k < m->n; k++)
            place[k] = in[b * SECTION + k];
        add_up(kind, place);
        if (got[b] != place[0])
            return false;
    }
    return true;
}

static const char *partial_diagnose(const lab_mismatch *m)
{
    if (is_partial(m, SECTION, BLOCK + 1, 1))
        return "each sum covers only the first 257 elements of its section: thread t adds to place "
               "t, and owns place 2t";
    if (is_tree(m, OWN_PLACES))
        return "thread t adds to place t, and owns place 2t: it adds place 2t + stride to that";
    if (is_tree(m, BELOW_STRIDE))
        return "each sum is that of the section's elements 0, 1, 2, 4, 8, ...: do the "
               "strides go down, or do the threads below the stride add, each to place t? In this "
               "tree the strides go up, the multiples of the stride add, and thread t owns place "
               "2t";
    if (is_tree(m, OF_TWICE))
        return "the multiples of twice the stride add: thread t owns place 2t, so that the "
               "multiples of the stride itself add";
    if (is_tree(m, NEIGHBOURS))
        return "each step adds place 2t + 1: it is place 2t + stride";
    if (is_tree(m, BY_ONE))
        return "the strides are 1, 2, 3, ...: a stride is twice the one before, 1, 2, 4, ..., 256";
    return partial_cause(m, "each sum covers only the first 256 elements of its section: the upper "
                            "half is not loaded, the step of stride 256 is missing, or thread t "
                            "adds to place t, not 2t");
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints tree_hints = {
    "The page adds up 8 elements in steps of stride 1, 2 and 4. Which is the last stride for 512? "
    "In the step of stride 2, thread 0 adds place 2 to place 0. Which thread wrote place 2, and "
    "what makes sure that it has already written?",
    "After the step of stride s, place 2 s k holds the sum of the 2 s elements from there on. So "
    "the step of stride s needs only the threads t that are multiples of s; but all threads of "
    "the block must meet the barrier before each step.",
    "fill both halves of s_sum, with 0 beyond n\n"
    "for strides 1, 2, 4, ... up to BLOCK:\n"
    "    a barrier that all threads meet\n"
    "    if t is a multiple of ___:\n"
    "        place ___ += place ___\n"
    "one thread stores place ___ in d_partial",
};
static const lab_hints launches_hints = {
    "n is a million. How many partial sums does one launch leave, and how many sections do these "
    "make?",
    "Run the same kernel on its own output until one section is left. The blocks of a launch run "
    "in any order, so its output must not lie where another of its blocks still has to read: two "
    "pieces of scratch memory take turns.",
    "while more than ___ elements are left:\n"
    "    launch on d_in, into the piece of scratch whose turn it is\n"
    "    d_in becomes ___, left becomes the number of ___, and the turn changes\n"
    "the last launch has one block, and writes to ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_gates partial_gates = { PARTIAL_GATES, { ADD_EFFICIENCY } };

static const lab_parts parts = {
    {
        .entry = "reduce_naive_partial",
        .title = "one partial sum for each section",
        .points = 60,
        .buffers = partial_buffers,
        .reference = partial_reference,
        .fill = lab_fill_rising,
        .gates = partial_gates,
        .gate_sizes = partial_sizes,
        .diagnose = partial_diagnose,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = tree_hints,
    },
    {
        .entry = "reduce_naive_total",
        .title = "the sum of all, launch after launch",
        .points = 40,
        .buffers = total_buffers,
        .reference = total_reference,
        .fill = lab_fill_rising,
        .gates = total_gates,
        .gate_sizes = total_sizes,
        .diagnose = total_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
        .hints = launches_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Naive reduction",
    .learned =
        "A tree adds up S elements in log2 S steps, with a barrier before each. Blocks cannot "
        "wait for each other: their sums take another launch.",
    .file = "naive_reduction.cu",
    .tile = SECTION,
    .threads = BLOCK,
    .per_thread = SECTION / BLOCK,
    .large_n = SECTION * SECTION + 77, /* three launches */
    .taught = { "additions", "barriers" },
    .parts = parts,
};
