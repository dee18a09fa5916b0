/*
 * section_sums.h: what labs that sum sections in blocks share: references, counts from theory,
 * gates, and the causes of wrong sums. For inclusion by such a lab.c, after it has defined the
 * constants
 *
 *     SECTION (elements of a section, 512), BLOCK (threads of its block, SECTION / 2), LOG2_SECTION
 *
 * Buffers: 0 the input, n floats; 1 the partial sums, one a section, or the total, one value. A
 * total is made by launches that each leave one sum a section, until one is left.
 */
#ifndef SECTION_SUMS_H
#define SECTION_SUMS_H

#include <stddef.h>
#include <stdio.h>

#include "lab.h"
#include "usual_gates.h"

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");
_Static_assert(SECTION == 512 && BLOCK == 256, "the texts below name 512 elements and 256 threads");

/* ---- reference ------------------------------------------------------------------------------- */

static inline size_t sections(size_t n) { return (n + SECTION - 1) / SECTION; }
static inline size_t one_value(size_t n)
{
    (void)n;
    return 1;
}

static inline void partial_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *partial = buffers[1];

    for (size_t i = 0; i < n; i++)
        partial[i / SECTION] = (i % SECTION == 0 ? 0 : partial[i / SECTION]) + in[i];
}

static inline void total_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *sum = buffers[1];

    *sum = 0;
    for (size_t i = 0; i < n; i++)
        *sum += in[i];
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Over all launches of a total, each of which works on the sums that the one before has left. */
static inline double launches(size_t n)
{
    double count = 1;
    for (; n > SECTION; n = sections(n))
        count++;
    return count;
}

static inline double all_inputs(size_t n)
{
    double sum = (double)n;
    for (; n > SECTION; n = sections(n))
        sum += (double)sections(n);
    return sum;
}

/* each input but the first is one's sum */
static inline double all_sections(size_t n) { return all_inputs(n) - (double)n + 1; }

static inline double least_blocks(size_t n) { return sections(n) < 8 ? (double)sections(n) : 8; }
/* of all launches, the last of which takes one */
static inline double least_total_blocks(size_t n)
{
    return least_blocks(n) + (n > SECTION ? least_total_blocks(sections(n)) : 0);
}
LIMIT(block_threads, BLOCK)

static inline double partial_additions(size_t n) { return (SECTION - 1) * (double)sections(n); }
static inline double total_additions(size_t n) { return (SECTION - 1) * all_sections(n); }
static inline double least_partial_additions(size_t n) { return (double)(n - sections(n)); }
static inline double launches_made(size_t n) { return n > 0 ? launches(n) : 0; }
static inline double least_total_additions(size_t n) { return (double)n - 1; }
static inline double partial_bytes_read(size_t n) { return 4 * (double)n; }
static inline double total_bytes_read(size_t n) { return 4 * all_inputs(n); }
static inline double partial_bytes_written(size_t n) { return 4 * (double)sections(n); }
static inline double total_bytes_written(size_t n) { return 4 * all_sections(n); }
static inline double partial_barriers(size_t n) { return (LOG2_SECTION + 3) * (double)sections(n); }
static inline double total_barriers(size_t n) { return (LOG2_SECTION + 3) * all_sections(n); }

/* ---- gates ----------------------------------------------------------------------------------- */

#define ADDITIONS(limit, formula)                                                                  \
    LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula,                                       \
        "A tree adds each partial sum to one other, once: let only the threads that own a place "  \
        "of the step add."
#define BARRIERS(limit)                                                                            \
    LAB_BARRIERS, LAB_AT_MOST, limit, "barriers",                                                  \
        "log2 S + 3 = 12 per section: one a step, and three spare",                                \
        "One barrier a step is enough: no step overwrites what another thread reads in it."
#define BYTES_READ(limit, formula)                                                                 \
    LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", formula,                                     \
        "Load each element into shared memory once and take every step there."
#define BYTES_WRITTEN(limit, formula)                                                              \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, limit, "bytes written", formula,                               \
        "One thread of each block stores, and stores once: the sum of the section."
#define LAUNCHES(limit, formula)                                                                   \
    LAB_LAUNCHES, LAB_AT_MOST, limit, "launches", formula,                                         \
        "A launch leaves one value of 512. Where the last launch stands after the loop, the loop " \
        "is for as long as more than one section is left, not more than one value: 512 elements "  \
        "or fewer take that launch alone."
#define ATOMICS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: each sum has one writer",                       \
        "Atomic additions to one address happen one after another: sum in the tree, and launch "   \
        "again for the sums."

/* Those of a part that leaves a sum for each section; a lab adds its own. */
#define PARTIAL_GATES                                                                              \
    LAB_ENTRIES(                                                                                   \
        { ADDITIONS_MADE(                                                                          \
            least_partial_additions,                                                               \
            "n - ceil(n / S): every element of a section but one is added to another") },          \
        { ADDITIONS(partial_additions,                                                             \
                    "S - 1 = 511 per section of S = 512, zeros of a shorter one counted") },       \
        { BARRIERS(partial_barriers) }, { BYTES_READ(partial_bytes_read, "4n: each input once") }, \
        { BYTES_WRITTEN(partial_bytes_written, "4 ceil(n / S): one sum per section") },            \
        { LAUNCHES(one, "1: sections do not depend on each other") }, { ATOMICS },                 \
        { ALL_IN_FLOAT }, SECTION_EACH(least_blocks, block_threads, "256"), { FEW_FILLED })

/* First what makes it a sum by launches: another way breaks other gates, too. */
static const lab_gates total_gates = {
    { ADDITIONS_MADE(least_total_additions, "n - 1: every element but one is added to another") },
    { LAB_LAUNCHES, LAB_AT_LEAST, launches_made, "launches made", "the least k with S^k >= n",
      "One block cannot sum more than its 512 elements: a launch leaves one sum a section, and the "
      "next one sums those. n = 1 takes a launch, too: a loop while (left > 1) makes none." },
    { ATOMICS },
    { ADDITIONS(total_additions, "S - 1 = 511 per section, the sections of all launches") },
    { BARRIERS(total_barriers) },
    { BYTES_READ(total_bytes_read,
                 "4 (n + ceil(n / S) + ceil(n / S^2) + ...), until one is left") },
    { BYTES_WRITTEN(total_bytes_written, "4 (ceil(n / S) + ceil(n / S^2) + ... + 1)") },
    { LAUNCHES(launches, "the least k with S^k >= n") },
    { ALL_IN_FLOAT },
    { BLOCKS_OF(least_total_blocks,
                "In each launch a block sums a section, and the last launch sums what is left: is "
                "a launch missing, or are some blocks?") },
    { BLOCKS_ALIKE },
    THREADS_PER_BLOCK(block_threads, "256"),
    { NOTHING_LEFT },
    { FEW_FILLED },
};

/* ---- buffers, and sizes for the gates -------------------------------------------------------- */

static const lab_buffers partial_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_partial",
      .type = LAB_F32,
      .role = LAB_OUT,
      .length = sections,
      .owner = LAB_BY_BLOCK },
};
static const lab_buffers total_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_sum",
      .type = LAB_F32,
      .role = LAB_OUT,
      .length = one_value,
      .owner = LAB_BY_GRID },
};

static const lab_sizes partial_sizes = { SECTION, 16 * SECTION };
static const lab_sizes total_sizes = { SECTION, 16 * SECTION, (size_t)SECTION *SECTION + 77 };

/* ---- diagnosis ------------------------------------------------------------------------------- */

/* The sum of up to `length` elements from `begin` on, each step-th of them, as far as there are
   any. */
static inline float sum_of(const lab_mismatch *m, size_t begin, size_t length, size_t step)
{
    const float *in = m->inputs[0];
    float sum = 0;

    for (size_t i = begin; i < m->n && i < begin + length; i += step)
        sum += in[i];
    return sum;
}

/* Does partial sum b hold the sum of each step-th of `length` elements from `pitch` * b on, for
   every b? */
static inline bool is_partial(const lab_mismatch *m, size_t pitch, size_t length, size_t step)
{
    const float *got = m->got;

    for (size_t b = 0; b < m->length; b++)
        if (got[b] != sum_of(m, pitch * b, length, step))
            return false;
    return true;
}

/* Has each thread added the element beside its first one? */
static inline bool is_neighbours(const lab_mismatch *m)
{
    const float *got = m->got;

    for (size_t b = 0; b < m->length; b++)
        if (got[b] != sum_of(m, SECTION * b, BLOCK, 1) + sum_of(m, SECTION * b + 1, BLOCK, 1))
            return false;
    return true;
}

/* Does each hold the section's last element alone, 0 where there is none? */
static inline bool is_last_place(const lab_mismatch *m)
{
    const float *got = m->got;

    for (size_t b = 0; b < m->length; b++)
        if (got[b] != sum_of(m, SECTION * (b + 1) - 1, 1, 1))
            return false;
    return true;
}

/* Is each sum right but that the last one lacks the last element? */
static inline bool lacks_last(const lab_mismatch *m)
{
    const float *got = m->got;
    const size_t last = m->length - 1;

    for (size_t b = 0; b < last; b++)
        if (got[b] != sum_of(m, SECTION * b, SECTION, 1))
            return false;
    return m->n > 2 && got[last] == sum_of(m, SECTION * last, m->n - 1 - SECTION * last, 1);
}

/* Does each sum cover only pairs of elements, 256 apart, both of which exist? */
static inline bool takes_pairs(const lab_mismatch *m)
{
    const float *got = m->got;

    for (size_t b = 0; b < m->length; b++) {
        const size_t begin = SECTION * b, rest = m->n - begin,
                     pairs = rest >= SECTION ? BLOCK
                             : rest > BLOCK  ? rest - BLOCK
                                             : 0;
        if (got[b] != sum_of(m, begin, pairs, 1) + sum_of(m, begin + BLOCK, pairs, 1))
            return false;
    }
    return m->n > BLOCK + 1;
}

/* Does each sum lack the elements that the step of this stride brings in: those whose place in the
   section has that bit? */
static inline bool lacks_step(const lab_mismatch *m, size_t stride)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t b = 0; b < m->length; b++) {
        float sum = 0;
        for (size_t k = 0; k < SECTION && b * SECTION + k < m->n; k++)
            sum += k & stride ? 0 : in[b * SECTION + k];
        if (got[b] != sum)
            return false;
    }
    return true;
}

/* Of the first elements of each section how many does its sum cover? 0: it is not such a sum, or
   there are too few sums to tell. */
static inline size_t covered(const lab_mismatch *m)
{
    size_t found = 0;

    if (m->n < 2 * SECTION)
        return 0;
    for (size_t length = 2; length < SECTION; length++)
        if (is_partial(m, SECTION, length, 1)) {
            if (found)
                return 0;
            found = length;
        }
    return found;
}

/* What a step of the tree, or the end of the section, leaves out. */
static inline const char *left_out(const lab_mismatch *m)
{
    static char text[160];
    const size_t length = covered(m);

    for (size_t stride = 2; stride < BLOCK && m->n >= SECTION; stride *= 2)
        if (lacks_step(m, stride)) {
            snprintf(text, sizeof text,
                     "each sum lacks what the step of stride %zu brings in: it is missing, or done "
                     "by other threads than have the sums",
                     stride);
            return text;
        }
    if (!length)
        return NULL;
    snprintf(text, sizeof text,
             "each sum is that of the first %zu elements of its section, of %d: which step is to "
             "bring in the next one?",
             length, SECTION);
    return text;
}

/* upper_half: why a sum may cover the first half of its section only, in this lab. */
static inline const char *partial_cause(const lab_mismatch *m, const char *upper_half)
{
    if (m->n >= SECTION && is_last_place(m))
        return "each sum is the last element of its section: is the last place stored, where the "
               "sum stands in place 0? Or do the steps overwrite (=) what they should add to (+=)?";
    if (m->n < 2)
        return NULL;
    if (is_partial(m, SECTION, 1, 1))
        return "each sum is the first element of its section: the steps add nothing to place 0, or "
               "the kernel is told of fewer elements than there are";
    if (lacks_last(m))
        return "the last section's sum lacks the last element, d_in[n - 1]: is a bound off by one?";
    if (takes_pairs(m))
        return "the first element of a thread is left out where its second lies beyond n: let each "
               "of the two loads have a guard of its own";
    if (is_partial(m, SECTION, BLOCK, 1))
        return upper_half;
    if (is_partial(m, SECTION, SECTION, 2))
        return "each sum covers only every second element of its section: the step of stride 1 is "
               "missing";
    if (m->n > 2 && is_neighbours(m))
        return "most of the first 256 elements of a section are in its sum twice, and those after "
               "them are not: the second element of thread t lies 256 further on, not beside its "
               "first";
    if (is_partial(m, SECTION, SECTION + 1, 1))
        return "each sum takes in the first element of the next section as well: is a bound off by "
               "one?";
    if (is_partial(m, BLOCK, SECTION, 1) || is_partial(m, BLOCK, BLOCK, 1))
        return "sections begin 256 elements apart: a block of 256 threads owns 512 elements, so "
               "that section b begins at 512 b";
    return left_out(m);
}

/* How many the last launch adds up. */
static inline size_t values_left(size_t n) { return n > SECTION ? values_left(sections(n)) : n; }

static inline const char *total_diagnose(const lab_mismatch *m)
{
    const float got = *(const float *)m->got;

    if (m->n <= SECTION)
        return m->n > 1 && got == sum_of(m, 0, 1, 1)
                   ? "the total is the first value alone: is the last launch told how many values "
                     "are left, and not how many sections these are?"
                   : NULL;
    if (got == sum_of(m, 0, SECTION, 1))
        return "the total is that of the first section: the partial sums of the others are still "
               "to be added, by further launches; is the last one told how many there are?";
    if (m->n > SECTION * SECTION && got == sum_of(m, 0, SECTION * SECTION, 1))
        return "the total is that of the first 512 sections: after two launches more than one "
               "value is left, go on until it is one";
    if (got == sum_of(m, 0, m->n - m->n % SECTION, 1))
        return "the total lacks the last, partial section: the number of sections is n / 512 "
               "rounded up";
    if (got == sum_of(m, 0, values_left(m->n), 1))
        return "the total is that of the first elements of d_in, as many as there are partial "
               "sums: the last launch has to read those sums, and not d_in again";
    return NULL;
}

#endif
