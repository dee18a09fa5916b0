/*
 * line.h: the fast path of the check for values never set: marks of words side by side. marks.c has
 * the rules.
 */
#ifndef SIMT_UNSET_LINE_H
#define SIMT_UNSET_LINE_H

#include "machine/state.h"

/* of a word: all bytes have a meaning; memory.origins has where it came from. PAD: marks
   before and after, which a warp's 32 places may take in */
enum { MARK_SET = 0x0f, MARK_ORIGIN = 0x10, MARK_PAD = 128 };

static inline bool unset_all_set(const uint8_t *marks, unsigned bytes)
{
    uint64_t all = ~0ull;
    for (unsigned k = 0; k < bytes; k += 8) {
        uint64_t eight;
        memcpy(&eight, marks + k, 8);
        all &= eight ^ 0xf0f0f0f0f0f0f0f0ull;
    }
    return all == ~0ull;
}

/* One word a lane, with 32 marks. False: there is more to see. */
static inline bool unset_words(uint8_t *marks, uint32_t mask, bool write)
{
    if (!write)
        return unset_all_set(marks, LANES);
    if (mask == FULL_MASK)
        memset(marks, MARK_SET, LANES);
    else
        LANE_LOOP
            marks[l] = mask >> l & 1 ? MARK_SET : marks[l];
    return true;
}

#endif
