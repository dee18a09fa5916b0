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
        /* most often in order: what lies outside of those seen so far is new */
        uint64_t seen[2 * LANES], least = UINT64_MAX, most = 0;
        FOR_LANES (l, a->mask) {
            for (uint64_t s = address[l] >> 5; s <= (address[l] + a->bytes - 1) >> 5; s++) {
                unsigned k = s < least || s > most ? 0 : sectors;
                while (k > 0 && seen[k - 1] != s)
                    k--;
                if (k > 0 || sectors == 2 * LANES)
                    continue;
                seen[sectors++] = s;
                least = s < least ? s : least;
                most = s > most ? s : most;
            }
        }
    }
    *count = sectors;
    *ideal = (a->bytes * lanes + 31) / 32;
    if (*ideal > sectors)
        *ideal = sectors;
}

#endif
