/*
 * Lab 02 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field means.
 *
 * The theory behind the gates, for a section of S = 512 elements and S/2 = 256 threads, 8 warps. In the step of stride s
 * the threads that are multiples of s add: S/(2s) additions. Up to s = 32 every warp has at least one such thread, so all
 * 8 issue the addition; beyond that one thread in each second, fourth ... warp is left:
 *     additions   256 128 64 32 16 8   4 2 1   = S - 1 = 511
 *     issues        8   8  8  8  8 8   4 2 1   = 7S/64 - 1 = 55, so that 511 / (32 * 55) = 0.290 of the lanes add
 *     barriers    one a step, log2 S = 9, and one to spare
 * A partial last section is padded with zeros to S and so costs as much as a full one; doing less there is fine.
 */
#include "lab.h"
#include "naive_reduction.h"

enum { SECTION = NAIVE_REDUCTION_SECTION, BLOCK = NAIVE_REDUCTION_BLOCK, LOG2_SECTION = 9, WARP = 32 };

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
static double efficiency(size_t n) { (void)n; return (SECTION - 1) / (WARP * (7 * SECTION / 64 - 1.0)); }
static double one(size_t n) { (void)n; return 1; }
static double zero(size_t n) { (void)n; return 0; }

#define ADDITIONS(limit, formula) { LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula, \
    "A tree adds each partial sum to one other, once: let only the threads that own a place of the step add." }
#define ADD_EFFICIENCY { LAB_ADD_EFFICIENCY, LAB_AT_LEAST, efficiency, "lanes adding", \
    "(S - 1) / (32 (7S/64 - 1)) = 0.29 of the lanes: low, and lab 03 is about that", \
    "This is less parallel than the naive tree: let all threads whose index is a multiple of the stride add at once." }
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
        return "each sum covers only the first 256 elements of its section: the upper half is not loaded, or the step of stride "
               "256 is missing";
    if (is_partial(m, SECTION, SECTION, 2))
        return "each sum covers only every second element of its section: the step of stride 1 is missing";
    if (is_partial(m, BLOCK, SECTION, 1) || is_partial(m, BLOCK, BLOCK, 1))
        return "sections begin 256 elements apart: a block of 256 threads owns 512 elements, so that section b begins at 512 b";
    return NULL;
}

static const char *total_diagnose(const lab_mismatch *m)
{
    const float got = *(const float *)m->got;

    if (m->n <= SECTION)
        return NULL;
    if (got == sum_of(m, 0, SECTION, 1))
        return "the total is that of the first section: the partial sums of the others are still to be added, by further launches";
    if (m->n > SECTION * SECTION && got == sum_of(m, 0, SECTION * SECTION, 1))
        return "the total is that of the first 512 sections: after two launches more than one value is left, go on until it is one";
    if (got == sum_of(m, 0, m->n - m->n % SECTION, 1))
        return "the total lacks the last, partial section: the number of sections is n / 512 rounded up";
    return NULL;
}

/* ---- the lab --------------------------------------------------------------------------------------------------- */

static const size_t partial_gate_sizes[] = { SECTION, 16 * SECTION, 0 };
static const size_t total_gate_sizes[] = { SECTION, 16 * SECTION, SECTION * SECTION + 77, 0 };

LAB_DEFINE {
    .id = LAB_ID,
    .title = "Naive reduction",
    .file = "naive_reduction.cu",
    .tile = SECTION,
    .threads = BLOCK,
    .per_thread = SECTION / BLOCK,
    .large_n = SECTION * SECTION + 77,  /* three launches */
    .parts = {
        {
            .entry = "reduce_naive_partial",
            .signature = "void reduce_naive_partial(const float *d_in, float *d_partial, int n)",
            .title = "one partial sum for each section",
            .points = 60,
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
                BARRIERS,
                BYTES_READ(partial_bytes_read, "4n: each input once"),
                BYTES_WRITTEN(partial_bytes_written, "4 ceil(n / S): one sum per section"),
                LAUNCHES(one, "1: sections do not depend on each other"),
                ATOMICS,
            },
            .gate_count = 7,
            .gate_sizes = partial_gate_sizes,
            .diagnose = partial_diagnose,
        },
        {
            .entry = "reduce_naive_total",
            .signature = "void reduce_naive_total(const float *d_in, float *d_sum, int n)",
            .title = "the sum of all, launch after launch",
            .points = 40,
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
            .diagnose = total_diagnose,
        },
    },
    .part_count = 2,
    .hints = {
        "In the step of stride 2 thread 0 adds place 2 to place 0. Which thread wrote place 2, may it be in another warp, and "
        "what makes sure that it has done so?",
        "After the step of stride s, place 2 s k holds the sum of the 2 s elements from there on. So the step of stride s needs "
        "only the threads t that are multiples of s; but all threads of the block must meet the barrier that parts it from "
        "the step before. For the total, use the same kernel on its own output, from one half of d_scratch to the other.",
        "for (unsigned stride = 1; stride <= BLOCK; stride *= 2) { __syncthreads(); if (t % stride == 0) s_sum[2 * t] += "
        "s_sum[2 * t + stride]; }",
    },
};
