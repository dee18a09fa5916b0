/*
 * section_scans.h: what labs that scan an array in sections share: references, counts from theory,
 * gates. For inclusion by such a lab.c, after lab.h and after it has defined the constant
 *
 *     SECTION (elements that are scanned together)
 *
 * Buffers: 0 the input, 1 the output, n floats each.
 */
#ifndef SECTION_SCANS_H
#define SECTION_SCANS_H

#include <stddef.h>

#include "lab.h"

/* ---- reference ------------------------------------------------------------------------------- */

/* Scans each run of `length` elements on its own. */
static inline void scan_runs_inclusive(void *const *buffers, size_t n, size_t length)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % length == 0 ? in[i] : out[i - 1] + in[i];
}

static inline void scan_runs_exclusive(void *const *buffers, size_t n, size_t length)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % length == 0 ? 0.0f : out[i - 1] + in[i - 1];
}

static inline void inclusive_reference(void *const *buffers, size_t n)
{
    scan_runs_inclusive(buffers, n, SECTION);
}
static inline void exclusive_reference(void *const *buffers, size_t n)
{
    scan_runs_exclusive(buffers, n, SECTION);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static inline double sections(size_t n) { return (double)((n + SECTION - 1) / SECTION); }
static inline double four_bytes_each(size_t n) { return 4.0 * (double)n; }
static inline double least_inclusive_additions(size_t n) { return (double)n - sections(n); }
/* of sections of two and more */
static inline double least_exclusive_additions(size_t n) { return (double)n - 2 * sections(n); }
static inline double one(size_t n)
{
    (void)n;
    return 1;
}
static inline double zero(size_t n)
{
    (void)n;
    return 0;
}

/* No way to scan takes fewer: what is missing was made elsewhere, or not in float. */
#define ADDITIONS_MADE(least, formula)                                                             \
    {                                                                                              \
        LAB_ADDITIONS, LAB_AT_LEAST, least, "additions made", formula,                             \
            "Let kernels make the sums, and in float: not the host, after a copy, and not "        \
            "integers, which cut fractions off."                                                   \
    }
#define INCLUSIVE_ADDITIONS_MADE                                                                   \
    ADDITIONS_MADE(least_inclusive_additions,                                                      \
                   "n - ceil(n / S): each element but a section's first is added to something")
#define EXCLUSIVE_ADDITIONS_MADE                                                                   \
    ADDITIONS_MADE(                                                                                \
        least_exclusive_additions,                                                                 \
        "n - 2 ceil(n / S): each element but a section's first and last is added to something")
#define BYTES_READ                                                                                 \
    {                                                                                              \
        LAB_BYTES_READ, LAB_AT_MOST, four_bytes_each, "bytes read", "4n: each input once",         \
            "Load each element once and take every step on the chip."                              \
    }
#define BYTES_WRITTEN                                                                              \
    {                                                                                              \
        LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each output once",  \
            "Keep the sums of the steps on the chip and store only the last ones."                 \
    }
#define LAUNCHES                                                                                   \
    {                                                                                              \
        LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: sections do not depend on each other",     \
            "One kernel scans all sections."                                                       \
    }
#define ATOMICS                                                                                    \
    {                                                                                              \
        LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: each sum has one writer",                   \
            "No two threads write one element, so nothing needs an atomic."                        \
    }

#endif
