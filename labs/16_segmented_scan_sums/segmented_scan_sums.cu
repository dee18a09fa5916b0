/*
 * Sums of segments at the speed of memory: persistent blocks with equal shares of elements and ends
 * of segments, whose warps have trades, as in lab 11.
 *
 * Mapping   a block takes share after share by ticket, and the tiles of each in order. MARKERS
 *           warps mark the last element of each segment, ADDERS add up, WRITERS write the sums,
 *           SEARCHERS search, one loads, one finishes shares; between them lies a ring of tiles in
 *           shared memory, with mbarriers. A thread of the adders owns EACH elements side by side
 * Bytes     each element and offset read once, each sum written once; a search costs some hundred
 *           words a share, and each share publishes one word
 * Work      about 2n additions; ranks of segments are never needed: a sum is put where the
 *           segment's last element stood, and the writer of the segment finds it there. Empty
 *           segments cost nothing special
 * Depth     the segment that began before a share waits for what all before it leave open; nothing
 *           else does
 * Source    Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC16
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    places in a ring, mbarriers, words
 *     stages.h                         sizes; what warps exchange; the search and load warps
 *     few.h                            few elements: a tile a block, without shares
 *     launches.h                       the finishing warp, the kernel of shares, the entries
 */
#include <cuda_runtime.h>

#include "segmented_scan_sums.h"
#include "stages.h"

#if BULK_COPIES

/* Waits until the stage is full. False: there are no more tiles. */
static __device__ __forceinline__ bool items_at(sums_ring *s, place at, tile_items *t)
{
    mbarrier_wait(&s->full[at.stage], at.parity);
    *t = s->tile[at.stage];
    return t->is_tile;
}

/* The markers: a byte for each element with which a segment ends. Empty ones have none, and that of
   the tile's first may lie in the tile before. */
static __device__ __forceinline__ void mark_tiles(sums_ring *s, unsigned char *s_data)
{
    /* TODO 1: for each end of the tile, the byte of its segment's last element, if that is in the
       tile; then arrive at s->marked. */
    (void)s, (void)s_data;
}

/* The adders: put the sum of each segment that ends in the tile in place of its last element. */
static __device__ __forceinline__ void add_tiles(descriptors d, sums_ring *s, unsigned char *s_data)
{
    /* TODO 2: note the open sum before the tile; it is 0 before a share's first. When it is
       marked, take and clear the thread's marks; elements outside the tile are 0. When all adders
       know the open sums at their ends, put sums at the marked places. At a share's last tile
       thread 0 publishes the sum that the share leaves open, and whether a segment ends in it. Then
       arrive at s->summed. */
    (void)d, (void)s, (void)s_data;
}

/* The writers: each segment that ends in the tile finds its sum where its last element stood. */
static __device__ __forceinline__ void write_tiles(float *d_sum, sums_ring *s,
                                                   unsigned char *s_data)
{
    /* TODO 3: open a slot for each share. When a tile is summed, write the sum of each segment that
       ends in it; that of the one that began before the share goes to the slot. Then the warp
       empties the stage, and closes the slot after the share's last tile. When there are no more
       tiles, one more slot, with NO_SHARE. */
    (void)d_sum, (void)s, (void)s_data;
}

/* The sum that the shares before `share` leave open. A whole warp calls it. */
static __device__ __forceinline__ float open_before(descriptors d, unsigned share)
{
    /* TODO 4: add up what the shares before have published, up to the nearest in which one
       ends. */
    (void)d, (void)share;
    return 0.0f;
}

#endif

#include "launches.h"
