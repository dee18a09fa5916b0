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
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        int *s_item = (int *)(s_data + at.stage * SELECT_STAGE) + warp * ELEMENTS, item[ROWS];
        const int count = count_of(n, tile, warp);
        unsigned kept = 0;

#pragma unroll
        for (int row = 0; row < ROWS; row++)
            item[row] = s_item[row * WARP + lane];
        __syncwarp(); /* all is read before anything is overwritten */
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            const int i = row * WARP + lane;
            const bool keep = i < count && item[row] >= 0;
            const unsigned mask = __ballot_sync(ALL_LANES, keep);
            const int rank = (int)kept + __popc(mask & lanes_before());
            /* one store for both sides: a branch would split the warp in every row */
            const int to = keep ? rank : ELEMENTS - 1 - (i - rank);
            if (m == PARTITION ? i < count : keep)
                s_item[to] = item[row];
            kept += (unsigned)__popc(mask);
        }
        if (lane == 0)
            s->kept[at.stage][warp] = kept;
        warp_arrives(&s->r.counted[at.stage]);
    }
}

/* What tiles `last` to `tile` - 1 keep. A whole warp calls it. */
static __device__ __forceinline__ long long kept_between(descriptors d, long long tile,
                                                         long long last)
{
    long long sum = 0;

    for (long long nearest = tile - 1; nearest >= last; nearest -= LOOKS * WARP) {
        unsigned long long word[LOOKS];
        unsigned mine = 0;

        look(d, nearest, last, word);
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            mine += (unsigned)word[k];
        sum += add_lanes(mine);
    }
    return sum;
}

/* The storing warps. */
static __device__ __forceinline__ void store_selected(mode m, int *d_out, int *d_rest, long long n,
                                                      select_ring *s, unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP - CREW;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        const int *s_item = (const int *)(s_data + at.stage * SELECT_STAGE) + warp * ELEMENTS;

        mbarrier_wait(m == IN_PLACE ? &s->open[at.stage] : &s->r.placed[at.stage], at.parity);
        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const int kept = (int)s->kept[at.stage][warp];
        const long long to = s->before[at.stage] + sum_of(s->kept[at.stage], warp);
        store_run(d_out + to, s_item, 1, kept);
        if (m == PARTITION)
            store_run(d_rest + (tile * TILE + warp * ELEMENTS - to), s_item + ELEMENTS - 1, -1,
                      count_of(n, tile, warp) - kept);
        warp_empties(&s->r.empty[at.stage]);
    }
}

#endif

#include "launches.h"
