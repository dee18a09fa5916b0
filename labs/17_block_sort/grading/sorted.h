/*
 * sorted.h: what is wrong with keys that are not sorted, and what a tile that sorts by itself may
 * cost. For inclusion by the lab.c of labs 17 and 18.
 */
#ifndef SORTED_H
#define SORTED_H

#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "lab.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

/* What a part sorts: keys of this type by the bits [first, end), each `span` keys by themselves. */
typedef struct sorting {
    lab_type type;
    size_t span;
    int first, end;
} sorting;

/* Do the keys rise in each span, as numbers of that type? */
static inline bool rises(const lab_mismatch *m, const sorting *s, lab_type as)
{
    const uint64_t mask =
        s->end - s->first < 64 ? ((uint64_t)1 << (s->end - s->first)) - 1 : ~(uint64_t)0;

    for (size_t i = 1; i < m->n; i++)
        if (i % s->span != 0 &&
            (in_order(as, element(s->type, m->got, i)) >> s->first & mask) <
                (in_order(as, element(s->type, m->got, i - 1)) >> s->first & mask))
            return false;
    return true;
}

/* Is the result that of another sorting of the input? */
static inline bool is_sorted(const lab_mismatch *m, const sorting *s)
{
    const size_t bytes = (size_t)width(s->type) / 8 * m->n;
    void *other = malloc(bytes + 1);
    bool same = other != NULL;

    if (same) {
        sort_stable(s->type, m->inputs[0], NULL, other, NULL, m->n, s->span, s->first, s->end);
        same = memcmp(other, m->got, bytes) == 0;
    }
    free(other);
    return same;
}

/* Does each key differ from the expected one, if at all, as a key does that was turned in another
   way than back: in its sign bit, all other bits, or all? */
static inline bool is_turned(const lab_mismatch *m, const sorting *s)
{
    const uint64_t sign = (uint64_t)1 << (width(s->type) - 1), all = sign | (sign - 1);

    for (size_t i = 0; i < m->n; i++) {
        const uint64_t off = (element(s->type, m->got, i) ^ element(s->type, m->expected, i)) & all;
        if (off != 0 && off != sign && off != all - sign && off != all)
            return false;
    }
    return true;
}

/* Causes of any sort; null: none of them. */
static inline const char *sort_diagnose(const lab_mismatch *m, const sorting *s)
{
    sorting longer = *s;

    longer.end++;
    if (!is_reordered(m, m->n, s->span) && is_turned(m, s))
        return "the keys are in order, and their bits are not what they were: from_bits has to "
               "undo what to_bits has done to each key";
    if (!is_reordered(m, m->n, s->span))
        return is_reordered(m, m->n, m->n)
                   ? "all keys are there, and some in another tile than their own: here each tile "
                     "is sorted by itself"
                   : "some keys are lost, and others stand there twice or never were in the "
                     "array: two have gone to one place. Each place is taken once; padding keys of "
                     "the last tile have no place";
    if (rises(m, s, s->type))
        return "sorted, but keys that are equal in these bits have changed their order: the split "
               "is not stable. What stood further left has to have the lower rank; a number from "
               "an atomicAdd says who came first";
    if (s->type != LAB_U32 && rises(m, s, LAB_U32))
        return "sorted as unsigned numbers, with negative keys after the others: to_bits has to "
               "turn the sign bit when a key is loaded, and from_bits to turn it back when it is "
               "stored";
    if (s->type == LAB_F32 && rises(m, s, LAB_I32))
        return "negative floats stand in reverse: a larger number of their bits is a smaller "
               "float. to_bits has to turn all bits of a negative key";
    if (s->end < width(s->type) && is_sorted(m, &longer))
        return "sorted by bit `end` as well: the range [first, end) ends before it";
    return NULL;
}

/* ---- limits and gates of a tile -------------------------------------------------------------- */

LIMIT(block_threads, RADIX_THREADS)
static inline double all_tiles(size_t n) { return (double)tiles(n); }
static inline double least_blocks(size_t n) { return tiles(n) < 8 ? all_tiles(n) : 8; }

#define READ_ONCE                                                                                  \
    LAB_BYTES_READ, LAB_AT_MOST, four_bytes_each, "bytes read", "4n: each key once",               \
        "Load each key once, and keep it in registers and shared memory until it is stored."
#define WRITTEN_ONCE                                                                               \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each key once",         \
        "Keys change their places in shared memory; write them once, when all are in place."
#define TILE_BARRIERS(limit, formula)                                                              \
    LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, limit, "barriers", formula,                               \
        "The counts of all warps need one barrier, and keys in shared memory two: one before "     \
        "they are read, one before they are overwritten."
/* of keys of 4 bytes */
#define TILE_GATES(most_barriers, formula)                                                         \
    LAB_ENTRIES({ READ_ONCE }, { WRITTEN_ONCE }, { STORED(four_bytes_each, "4n: the keys") },      \
                { WHOLE_SECTORS }, { TILE_BARRIERS(most_barriers, formula) }, ONE_LAUNCH_ALONE,    \
                { NO_ATOMICS }, SECTION_EACH(least_blocks, block_threads, "256"), { WARPS_ALIKE })

#endif
