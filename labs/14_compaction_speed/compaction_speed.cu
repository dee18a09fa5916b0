/*
 * Compaction at the speed of memory: persistent blocks whose warps have trades, as in lab 11.
 *
 * Mapping   a block takes tile after tile by ticket. CREW warps count, CREW store, one looks back,
 *           one loads; between them lies a ring of tiles in shared memory, with mbarriers. A warp
 *           of the crew owns ROWS rows of 32 elements of a tile, and the storing warp of the same
 *           number stores what is kept of them
 * Bytes     each element read once, what is kept written once; a tile's word costs 8 bytes, and 8
 *           for each one looked at
 * Depth     a block waits for what tiles hold, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4.4
 *
 * Given, each in a header of this folder:
 *     ring.h        the load warp, stages, mbarriers, words of tiles
 *     tiles.h       sizes; how a kernel is launched
 *     stages.h      what warps of a block exchange
 *     launches.h    the look-back warps' loops, kernels, and the entries of compaction_speed.h
 */
#include <cuda_runtime.h>

#include "compaction_speed.h"
#include "ring.h"
#include "stages.h"

#if BULK_COPIES

/* ---- select_if, partition_if ----------------------------------------------------------------- */

/* The crew. What a warp keeps goes to the front of its elements in the stage; of a partition the
   others to the end, in reverse. */
static __device__ __forceinline__ void compact_tiles(mode m, long long n, select_ring *s,
                                                     unsigned char *s_data)
{
    /* TODO 1: wait for tile after tile, and put what the warp keeps of each to the front of its
       elements; of a partition the others to the end, in reverse. Note how many it keeps; arrive at
       counted. */
    (void)m, (void)n, (void)s, (void)s_data;
}

/* What tiles `last` to `tile` - 1 keep. A whole warp calls it. */
static __device__ __forceinline__ long long kept_between(descriptors d, long long tile,
                                                         long long last)
{
    /* TODO 2: add up what `look` sees, LOOKS * 32 tiles at a time. */
    (void)d, (void)tile, (void)last;
    return 0;
}

/* The storing warps. */
static __device__ __forceinline__ void store_selected(mode m, int *d_out, int *d_rest, long long n,
                                                      select_ring *s, unsigned char *s_data)
{
    /* TODO 3: wait for the tile's place and its counts, and store the warp's run with store_run; of
       a partition the others to d_rest. In place, a fence comes first. Then the warp empties the
       stage. */
    (void)m, (void)d_out, (void)d_rest, (void)n, (void)s, (void)s_data;
}

#endif

#include "launches.h"
