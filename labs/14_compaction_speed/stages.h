/*
 * stages.h: what the warps of a block of compaction_speed.cu exchange about the tile in a
 * stage.
 */
#ifndef STAGES_H
#define STAGES_H

#include "tiles.h"

enum { SELECT_STAGE = TILE * 4 }; /* bytes */

/* What is done with the elements; in place, d_out is d_in. */
typedef enum mode { SELECT, PARTITION, IN_PLACE } mode;

/* In place, a block has more warps: two publish which tiles have been read, and two keepers stand
   between look-back and stores. */
enum { RELEASER = LOADER + 1, KEEPER = RELEASER + 2, IN_PLACE_THREADS = (KEEPER + 2) * WARP };

#if BULK_COPIES

typedef struct select_ring {
    ring r;
    mbarrier open[MOST_STAGES];       /* in place: it may be stored */
    unsigned kept[MOST_STAGES][CREW]; /* of each warp's elements */
    long long before[MOST_STAGES];    /* kept of all tiles before */
} select_ring;

/* Waits until a word has been published; what happened before that has happened for this lane, too.
   Such a load costs less than a fence, which waits for all that the multiprocessor has on its
   way. */
static __device__ __forceinline__ void wait_for_word(descriptors d, long long word)
{
    unsigned long long seen;

    do
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                     : "=l"(seen)
                     : "l"(__cvta_generic_to_global(&d.word[word]))
                     : "memory");
    while ((unsigned)(seen >> 33) != d.stamp >> 1);
}

#endif

#endif
