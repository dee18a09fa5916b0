/*
 * section_scans.h: what labs that scan an array in sections share: references, counts from theory,
 * gates. For inclusion by such a lab.c, after it has defined the constant
 *
 *     SECTION (elements that are scanned together)
 *
 * Buffers: 0 the input, 1 the output, n floats each.
 */
#ifndef SECTION_SCANS_H
#define SECTION_SCANS_H

#include <stddef.h>

#include "lab.h"
#include "references.h"
#include "usual_gates.h"

/* ---- reference ------------------------------------------------------------------------------- */

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
static inline double least_blocks(size_t n) { return sections(n) < 8 ? sections(n) : 8; }
static inline double least_inclusive_additions(size_t n) { return (double)n - sections(n); }
/* of sections of two and more */
static inline double least_exclusive_additions(size_t n) { return (double)n - 2 * sections(n); }

/* ---- gates ----------------------------------------------------------------------------------- */

#define INCLUSIVE_ADDITIONS_MADE                                                                   \
    ADDITIONS_MADE(least_inclusive_additions,                                                      \
                   "n - ceil(n / S): each element but a section's first is added to something")
#define EXCLUSIVE_ADDITIONS_MADE                                                                   \
    ADDITIONS_MADE(                                                                                \
        least_exclusive_additions,                                                                 \
        "n - 2 ceil(n / S): each element but a section's first and last is added to something")
#define BYTES_READ                                                                                 \
    LAB_BYTES_READ, LAB_AT_MOST, four_bytes_each, "bytes read", "4n: each input once",             \
        "Load each element once and take every step on the chip."
#define BYTES_WRITTEN                                                                              \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each output once",      \
        "Keep the sums of the steps on the chip and store only the last ones."

#endif
