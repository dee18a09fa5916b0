/*
 * sectors.h: the 32-byte sectors of global memory that a warp's access touches.
 */
#ifndef SIMT_SECTORS_H
#define SIMT_SECTORS_H

#include "machine/lanes.h"
#include "watch/hooks.h"

/* *count: those that the active lanes touch, each once; *ideal: those that as many bytes need. */
static inline void sectors_of(const memory_access *a, const uint64_t *address, unsigned *count,
                              unsigned *ideal)
{
    unsigned lanes = (unsigned)__builtin_popcount(a->mask), sectors = 0;
    if (a->contiguous && a->mask == FULL_MASK) {
        sectors = (unsigned)(((address[31] + a->bytes - 1) >> 5) - (address[0] >> 5) + 1);
    } else {
        uint64_t seen[2 * LANES];
        FOR_LANES (l, a->mask) {
            for (uint64_t s = address[l] >> 5; s <= (address[l] + a->bytes - 1) >> 5; s++) {
                unsigned k = sectors;
                while (k > 0 && seen[k - 1] != s)
                    k--;
                if (k == 0 && sectors < 2 * LANES)
                    seen[sectors++] = s;
            }
        }
    }
    *count = sectors;
    *ideal = (a->bytes * lanes + 31) / 32;
    if (*ideal > sectors)
        *ideal = sectors;
}

#endif
