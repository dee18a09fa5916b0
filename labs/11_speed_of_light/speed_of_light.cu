/*
 * Inclusive scan of a whole array at the speed of memory: decoupled look-back in persistent blocks.
 *
 * Mapping   as many blocks as the GPU holds take tile after tile. Their warps have four trades: one
 *           loads, 8 reduce, one or two look back, 8 or 16 scan. A ring of tiles in shared memory,
 *           with mbarriers, lies between them. A lane owns 16 bytes in each of its warp's rows of
 *           512 bytes
 * Bytes     each element read once and written once; a tile's descriptor costs 8 bytes more (16 for
 *           8-byte elements), and as many for each one looked at
 * Work      about 3n additions: n for the aggregates, taken ahead, and 2n for the scans
 * Depth     a block waits for aggregates only, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4
 *
 * One body serves all types. Given, each in a header of this folder:
 *     rows.h, bulk_copies.h         rows of 16 bytes a lane; PTX in functions
 *     sizes.h, descriptors.h        constants; what tiles publish
 *     look_back.h, ring.h           the look-back; stages, places, mbarriers
 *     launches.h                    kernels, launches, and the entries of speed_of_light.h
 *     wave.h, older_gpus.h          two other paths: small arrays, GPUs without bulk copies
 */
#include <cuda_runtime.h>

#include "bulk_copies.h"
#include "descriptors.h"
#include "ring.h"
#include "rows.h"
#include "speed_of_light.h"

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Publishes the sum of a tile. One thread calls it. A word is written at once; others
   may see the two words of an 8-byte sum at different times, and compare their stamps. */
static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile,
                                               value sum)
{
    unsigned long long *word = &d.word[words_of(op, tile)];

    if (is_narrow(op))
        *(volatile unsigned long long *)word = stamped(d, (unsigned)sum);
    else
        asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};"
                     :
                     : "l"(__cvta_generic_to_global(word)), "l"(stamped(d, (unsigned)sum)),
                       "l"(stamped(d, (unsigned)(sum >> 32)))
                     : "memory");
}

/* Has the tile published its sum in this launch? If so, it is in *sum. */
static __device__ __forceinline__ bool inspect(operation op, descriptors d, long long tile,
                                               value *sum)
{
    const unsigned long long *word = &d.word[words_of(op, tile)];
    unsigned long long low, high;

    if (is_narrow(op))
        high = low = *(const volatile unsigned long long *)word;
    else
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(__cvta_generic_to_global(word))
                     : "memory");
    /* TODO 1: return false unless the word carries the stamp of this launch. An 8-byte sum has
       two words, and both must carry it. */
    *sum = is_narrow(op) ? (unsigned)low : high << 32 | (unsigned)low;
    return true;
}

/* The last of all to leave raises the epoch for the next launch. It also clears a word that no tile
   of this launch has used, another one each time: so no stamp grows so old that the epoch wraps
   around to it. */
static __device__ __forceinline__ void close_epoch(descriptors d, unsigned gone, unsigned times,
                                                   unsigned long long used)
{
    if (gone != times - 1)
        return;
    if (d.stamp % d.room >= used)
        d.word[d.stamp % d.room] = 0;
    /* TODO 6: raise the epoch, d.state[EPOCH], so that the next launch has another stamp. The
       stamp of epoch e is e + 1, and 0 is not a stamp. */
}

#include "look_back.h"

/* ---- the ring: four trades ------------------------------------------------------------------- */

#if BULK_COPIES

static __device__ __forceinline__ void load_tiles(operation op, const crew c, const void *d_in,
                                                  descriptors d, long long n, unsigned tiles,
                                                  ring *s, unsigned char *s_data)
{
    place at = { 0, 1 }; /* every stage is empty at first */

    /* TODO 2: tile after tile, stage after stage (move_on):
       - STEADY: lane 0 takes a ticket. BRISK: the block takes every gridDim.x-th tile, from
         blockIdx.x on.
       - Wait until the stage is empty, and until the tile that is AHEAD tiles before has come.
       - Lane 0 notes the tile and the block's tile before it, arrives at `full` expecting the
         bytes of the bulk copy, and starts the copy. The other lanes just arrive.
       - Before the arrivals load_rest takes what a bulk copy cannot: bytes beyond the last whole
         16, and the whole tile where d_in is not aligned.
       - The first number that is not a tile's (tiles or more) ends it: give each look-back warp a
         stage with NO_TILE, once it is empty; all lanes arrive there, expecting nothing. */
    (void)at;
}

/* A reducer adds up the parts of one scanner or two; the first of them publishes the tile's sum. */
static __device__ __forceinline__ void reduce_tiles(operation op, const crew c, descriptors d,
                                                    long long n, ring *s, unsigned char *s_data)
{
    const int reducer = threadIdx.x / WARP - scanners_of(c), lane = threadIdx.x % WARP,
              parts = scanners_of(c) / WARPS;
    place at = { 0, 0 };
    long long tile;

    if (reducer == 0)
        open_epoch(&d);
    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1)) {
        const int count = count_of(op, tile, n);

        /* TODO 3: for each of its `parts` parts, from reducer * parts on, load the rows of the
           stage, 16 bytes a lane, and add them up; lane 0 stores the part's sum in `total`. When
           the whole warp has read the rows, lane 0 arrives at `reduced`. */
        (void)lane, (void)parts, (void)count;
        if (reducer > 0)
            continue;
        mbarrier_wait(&s->reduced[at.stage], at.parity);
        const value sum = totals_before(op, s, at.stage, scanners_of(c));
        if (lane == 0) {
            publish(op, d, tile, sum);
            mbarrier_arrive(&s->empty[at.stage]); /* it has read the totals */
        }
    }
}

/* A warp that looks back, for every tile or for every other one. It ends at the block's previous
   tile: the block knows what lies before that. */
static __device__ __forceinline__ void place_tiles(operation op, const crew c, descriptors d,
                                                   unsigned tiles, ring *s)
{
    const int looker = threadIdx.x / WARP - scanners_of(c) - WARPS;
    place at = { looker, 0 }, last = { looker - 1, 0 };
    long long tile;

    open_epoch(&d);
    for (; (tile = tile_at(s, &at)) != NO_TILE;
         move_on(&at, lookers_of(c)), move_on(&last, lookers_of(c))) {
        /* TODO 4: look back to the block's previous tile, and wait until the tile at `at` is
           reduced. Before the tile lies what you found by looking back and, if there is a tile
           before at `last` (stage 0 or more), its prefix: wait until that is placed. Lane 0 notes
           `before` and `prefix`, and arrives at `placed`. */
    }
    if (threadIdx.x % WARP == 0)
        close_epoch(d, leave_epoch(d, gridDim.x * lookers_of(c)), gridDim.x * lookers_of(c),
                    words_of(op, tiles));
}

static __device__ __forceinline__ void scan_stages(operation op, const crew c, void *d_out,
                                                   long long n, ring *s, unsigned char *s_data)
{
    const int part = threadIdx.x / WARP;
    const bool aligned = is_aligned(d_out);
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1)) {
        /* TODO 5: load the rows of the part, and wait until the stage is placed. Before the part
           lies what lies before the tile, and the totals of the parts before. When the whole
           warp has read what it needs of the stage, lane 0 arrives at `empty`. Then scan row
           after row, and store each. */
        (void)aligned, (void)part;
    }
}

/* A block of STEADY_THREADS or BRISK_THREADS threads, with STAGES * TILE_BYTES bytes of dynamic
   shared memory. */
static __device__ __forceinline__ void scan_tiles(operation op, const crew c, const void *d_in,
                                                  void *d_out, descriptors d, long long n,
                                                  unsigned tiles)
{
    extern __shared__ uint4 s_data[];
    __shared__ ring s;
    const int warp = threadIdx.x / WARP, first_reducer = scanners_of(c),
              first_looker = first_reducer + WARPS;

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(&s.full[stage], WARP);
            mbarrier_init(&s.reduced[stage], WARPS);
            mbarrier_init(&s.placed[stage], 1);
            mbarrier_init(&s.empty[stage], scanners_of(c) + 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads(); /* the only one: everything else is between trades */

    if (warp == first_looker + lookers_of(c))
        load_tiles(op, c, d_in, d, n, tiles, &s, (unsigned char *)s_data);
    else if (warp >= first_looker)
        place_tiles(op, c, d, tiles, &s);
    else if (warp >= first_reducer)
        reduce_tiles(op, c, d, n, &s, (unsigned char *)s_data);
    else
        scan_stages(op, c, d_out, n, &s, (unsigned char *)s_data);
}

#endif

#include "launches.h"

/* Tries the functions above one by one. If you change what they take, leave it out. */
#include "steps.h"
