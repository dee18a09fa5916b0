/*
 * Lab 03 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field means.
 *
 * The theory behind the gates, for a section of S = 512 elements and S/2 = 256 threads, 8 warps. In the step of stride s
 * the first s threads add: whole warps as long as s >= 32, S/32 - 1 = 15 of them over all such steps; after that one warp
 * with 16, 8, 4, 2, 1 of its 32 lanes:
 *     additions   256 128 64 32   16 8 4 2 1   = S - 1 = 511
 *     issues        8   4  2  1    1 1 1 1 1   = S/32 + 4 = 20, so that 511 / (32 * 20) = (S - 1) / (S + 128) = 0.798
 *     barriers    one a step, log2 S = 9, and one to spare
 * Any mapping that keeps the active threads at the front gets there. Only one in which the lanes of a warp also access
 * neighbouring words does so without bank conflicts: with place 2 s t for thread t, gcd(2 s, 32) lanes share a bank.
 * A partial last section is padded with zeros to S and so costs as much as a full one; doing less there is fine.
 */
#include "divergence_free_reduction.h"
#include "lab.h"

enum { SECTION = DIVERGENCE_FREE_SECTION, BLOCK = DIVERGENCE_FREE_BLOCK, LOG2_SECTION = 9, WARP = 32 };

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");

/* ---- reference ------------------------------------------------------------------------------------------------- */

static size_t sections(size_t n) { return (n + SECTION - 1) / SECTION; }
static size_t one_value(size_t n) { (void)n; return 1; }

static void partial_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *partial = buffers[1];

    for (size_t i = 0; i < n; i++)
        partial[i / SECTION] = (i % SECTION == 0 ? 0 : partial[i / SECTION]) + in[i];
}

static void total_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *sum = buffers[1];

    *sum = 0;
    for (size_t i = 0; i < n; i++)
        *sum += in[i];
}

/* ---- limits ---------------------------------------------------------------------------------------------------- */

/* Over all launches of a total, each of which works on the sums that the one before has left. */
static double launches(size_t n)
{
    double count = 1;
    for (; n > SECTION; n = sections(n))
        count++;
    return count;
}

static double all_inputs(size_t n)
{
    double sum = (double)n;
    for (; n > SECTION; n = sections(n))
        sum += (double)sections(n);
    return sum;
}

static double all_sections(size_t n) { return all_inputs(n) - (double)n + 1; }     /* each input but the first is one's sum */

static double partial_additions(size_t n) { return (SECTION - 1) * (double)sections(n); }
static double total_additions(size_t n) { return (SECTION - 1) * all_sections(n); }
static double partial_bytes_read(size_t n) { return 4 * (double)n; }
static double total_bytes_read(size_t n) { return 4 * all_inputs(n); }
static double partial_bytes_written(size_t n) { return 4 * (double)sections(n); }
static double total_bytes_written(size_t n) { return 4 * all_sections(n); }
static double barriers(size_t n) { (void)n; return LOG2_SECTION + 1; }
static double efficiency(size_t n) { (void)n; return (SECTION - 1) / (WARP * (SECTION / WARP + 4.0)); }
static double one(size_t n) { (void)n; return 1; }
static double zero(size_t n) { (void)n; return 0; }

#define ADDITIONS(limit, formula) { LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula, \
    "A tree adds each partial sum to one other, once: let only the threads that own a place of the step add." }
#define ADD_EFFICIENCY { LAB_ADD_EFFICIENCY, LAB_AT_LEAST, efficiency, "lanes adding", \
    "(S - 1) / (S + 128) of the lanes: whole warps down to stride 32, then 16, 8, 4, 2, 1 lanes of one", \
    "Divergence: warps add with some of their lanes only. Let the threads that add be the first of the block, t < stride." }
#define BANK_CONFLICTS { LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts", \
    "0: the lanes of a warp touch 32 consecutive words in each step", \
    "Lanes an even number of words apart share banks: let thread t own place t, not place 2t or 2 * stride * t." }
#define BARRIERS { LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, barriers, "barriers", "log2 S + 1 = 10: one a step, and one to spare", \
    "One barrier a step is enough: no step overwrites what another thread reads in it." }
#define BYTES_READ(limit, formula) { LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", formula, \
    "Load each element once into shared memory and take every step there." }
#define BYTES_WRITTEN(limit, formula) { LAB_BYTES_WRITTEN, LAB_AT_MOST, limit, "bytes written", formula, \
    "One thread of each block stores, and stores once: the sum of the section." }
#define LAUNCHES(limit, formula) { LAB_LAUNCHES, LAB_AT_MOST, limit, "launches", formula, \
    "Each launch makes one value of 512: stop as soon as one is left." }
#define ATOMICS { LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: each sum has one writer", \
    "Additions to one address by atomics happen one after another: sum in the tree, and launch again for the sums." }

/* ---- diagnosis ------------------------------------------------------------------------------------------------- */

/* The sum of up to `length` elements from `begin` on, each step-th of them, as far as there are any. */
static float sum_of(const lab_mismatch *m, size_t begin, size_t length, size_t step)
{
    const float *in = m->inputs[0];
    float sum = 0;

    for (size_t i = begin; i < m->n && i < begin + length; i += step)
        sum += in[i];
    return sum;
}

/* Does partial sum b hold the sum of each step-th of `length` elements from `pitch` * b on, for every b? */
static bool is_partial(const lab_mismatch *m, size_t pitch, size_t length, size_t step)
{
    const float *got = m->got;

    for (size_t b = 0; b < m->length; b++)
        if (got[b] != sum_of(m, pitch * b, length, step))
            return false;
    return true;
}

static const char *partial_diagnose(const lab_mismatch *m)
{
    if (m->n < 2)
        return NULL;
    if (is_partial(m, SECTION, 1, 1))
        return "each sum is the first element of its section: the steps add nothing to place 0";
    if (is_partial(m, SECTION, BLOCK, 1))
        return "each sum covers only the first 256 elements of its section: the step of stride 256 is missing";
    if (is_partial(m, SECTION, SECTION, 2))
        return "each sum covers only every second element of its section: the step of stride 1 is missing";
    if (is_partial(m, BLOCK, SECTION, 1) || is_partial(m, BLOCK, BLOCK, 1))
        return "sections begin 256 elements apart: a block of 256 threads owns 512 elements, so that section b begins at 512 b";
    return NULL;
}

/* ---- the lab --------------------------------------------------------------------------------------------------- */

static const size_t partial_gate_sizes[] = { SECTION, 16 * SECTION, 0 };
static const size_t total_gate_sizes[] = { SECTION, 16 * SECTION, SECTION * SECTION + 77, 0 };

LAB_DEFINE {
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
            .gates = {
                ADDITIONS(partial_additions, "S - 1 = 511 per section of S = 512, a partial one counted as full"),
                ADD_EFFICIENCY,
                BANK_CONFLICTS,
                BARRIERS,
                BYTES_READ(partial_bytes_read, "4n: each input once"),
                BYTES_WRITTEN(partial_bytes_written, "4 ceil(n / S): one sum per section"),
                LAUNCHES(one, "1: sections do not depend on each other"),
                ATOMICS,
            },
            .gate_count = 8,
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
            .gates = {
                ADDITIONS(total_additions, "S - 1 = 511 per section, the sections of all launches"),
                BARRIERS,
                BYTES_READ(total_bytes_read, "4 (n + ceil(n / S) + ceil(n / S^2) + ...), as far as more than one is left"),
                BYTES_WRITTEN(total_bytes_written, "4 (ceil(n / S) + ceil(n / S^2) + ... + 1)"),
                LAUNCHES(launches, "the least k with S^k >= n"),
                ATOMICS,
            },
            .gate_count = 6,
            .gate_sizes = total_gate_sizes,
        },
    },
    .part_count = 2,
    .hints = {
        "A step has 64 additions to make. How many warps issue the addition if the threads are 0, 4, 8 ... 252, and how many if "
        "they are 0, 1, 2 ... 63?",
        "The order of the additions is free. So let the first s threads add what lies s places further on, place t + s to place "
        "t: the sums move to the front, neighbouring lanes touch neighbouring words, and the next step has half as many. The "
        "largest stride comes first.",
        "for (unsigned stride = BLOCK; stride > 0; stride /= 2) { __syncthreads(); if (t < stride) s_sum[t] += s_sum[t + stride]; }",
    },
};
