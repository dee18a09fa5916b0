/*
 * Inclusive scan of floats at the speed of memory, with the same bits in every run: decoupled
 * look-back in groups of tiles, by one fixed tree of additions.
 *
 * Mapping   as lab 11's ring: one warp loads, 8 reduce, one looks back, 8 scan. A scanner and a
 *           reducer have 4 units of 2 rows in each tile. Small arrays take a wave of blocks of 32
 *           warps, a unit each
 * Bytes     each element read once and written once; a tile's word costs 8 bytes more (16 for
 *           doubles), and as many for each one looked at
 * Work      about 3n additions: n for the tiles' sums, taken ahead, and 2n for the scans
 * Depth     a tile waits for the sums of the tiles before it in its group of 256, and for what lies
 *           before the group: a chain with one link a group
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4, for the look-back
 *
 * Given: tree.h, the lower levels of the tree, and words; ring.h; wave.h; launches.h.
 */
#include <cuda_runtime.h>

#include "ring.h"
#include "speed_of_light_same_bits.h"
#include "tree.h"

/* What lies before a tile: A of its group, and F. Waits for all of it. A whole warp calls it. */
static __device__ __forceinline__ value before_tile(operation op, words w, unsigned tiles,
                                                    long long tile)
{
    /* TODO 1: wait for the words of all tiles before this one in its group, and the group's own.
       Only then add up: F by columns and reduce_warp, and A + F. Lane l has the tiles l, 32 + l and
       so on, of the group. */
    (void)op, (void)w, (void)tiles, (void)tile;
    return 0;
}

#if BULK_COPIES

/* A reducer adds up its units; the first of them publishes the tile's sum. */
static __device__ __forceinline__ void reduce_tiles(operation op, words w, long long n, ring *s,
                                                    unsigned char *s_data)
{
    /* TODO 2: wait for tile after tile. The warp's U go to s->total of the stage, four of them by
       reduce_four; it arrives at reduced. The first reducer waits for all, publishes T, and arrives
       at empty. */
    (void)op, (void)w, (void)n, (void)s, (void)s_data;
}

/* One of LOOKERS, who take turns. The block of a group's last tile publishes what lies before the
   next group. */
static __device__ __forceinline__ void place_tiles(operation op, words w, unsigned tiles, ring *s)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    move_on(&at, threadIdx.x / WARP - LOOKER);
    open_epoch(&w);
    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, LOOKERS)) {
        const value before = before_tile(op, w, tiles, tile);

        mbarrier_wait(&s->reduced[at.stage], at.parity);
        if (ends_group(tile, tiles)) {
            const value total = reduce_warp(op, s->total[at.stage][lane]);
            if (lane == 0)
                publish(op, w, tiles + group_of(tile), add(op, before, total));
        }
        if (lane == 0)
            s->before[at.stage] = before;
        warp_arrives(&s->placed[at.stage]);
    }
    if (lane == 0)
        close_epoch(w, leave_epoch(w, LOOKERS * gridDim.x), LOOKERS * gridDim.x,
                    words_used(op, tiles));
}

/* A scanner has its rows scanned lane by lane before it asks what lies before. */
static __device__ __forceinline__ void scan_stages(operation op, void *d_out, long long n, ring *s,
                                                   unsigned char *s_data)
{
    /* TODO 3: wait for tile after tile. All rows go to registers and through scan_lanes; then, when
       the tile is placed, the warp takes what lies before, arrives at empty and stores its rows. */
    (void)op, (void)d_out, (void)n, (void)s, (void)s_data;
}

/* A block of RING_THREADS threads, with STAGES * TILE_BYTES bytes of dynamic shared memory. */
static __device__ __forceinline__ void scan_ring(operation op, const void *d_in, void *d_out,
                                                 words w, long long n, unsigned tiles)
{
    extern __shared__ uint4 s_data[];
    __shared__ ring s;
    const int warp = threadIdx.x / WARP;

    open_ring(&s);
    if (warp == LOADER)
        load_tiles(op, d_in, w, n, tiles, &s, (unsigned char *)s_data);
    else if (warp >= LOOKER)
        place_tiles(op, w, tiles, &s);
    else if (warp >= WARPS)
        reduce_tiles(op, w, n, &s, (unsigned char *)s_data);
    else
        scan_stages(op, d_out, n, &s, (unsigned char *)s_data);
}

#endif

#include "launches.h"
