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
 * Depth     a block waits for sums of tiles only, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4, for the look-back
 *
 * Given: tree.h, the lower levels of the tree, and words; ring.h; wave.h; launches.h.
 */
#include <cuda_runtime.h>

#include "ring.h"
#include "speed_of_light_same_bits.h"
#include "tree.h"

/* What the look-back warp has added up, tile after tile: A of a group, and the columns of the
   group's rows of 32 tiles before `row`. */
typedef struct fold {
    value before, column;
    unsigned row;
} fold;

/* What lies before a tile: A of its group, and F. Goes on from the fold, which holds rows before
   the tile's, and leaves the tile's own row for the next tile. A whole warp calls it. */
static __device__ __forceinline__ value before_tile(operation op, words w, long long tile, fold *f)
{
    /* TODO 1: wait for the words of all tiles from f->row on that lie before this one, up to LOOKS
       rows of 32 tiles at a time. Only then add them up, row after row: lane l its column, until
       the group ends or the row of the tile comes; then the columns by reduce_warp, and A + F. */
    (void)op, (void)w, (void)tile, (void)f;
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

static __device__ __forceinline__ void place_tiles(operation op, words w, unsigned tiles, ring *s)
{
    place at = { 0, 0 };
    fold f = { 0, 0, 0 };
    long long tile;

    open_epoch(&w);
    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at)) {
        const value before = before_tile(op, w, tile, &f);

        mbarrier_wait(&s->reduced[at.stage], at.parity); /* the scanners want the totals, too */
        if (threadIdx.x % WARP == 0)
            s->before[at.stage] = before;
        warp_arrives(&s->placed[at.stage]);
    }
    if (threadIdx.x % WARP == 0)
        close_epoch(w, leave_epoch(w, gridDim.x), gridDim.x, words_of(op, tiles));
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
    else if (warp == LOOKER)
        place_tiles(op, w, tiles, &s);
    else if (warp >= WARPS)
        reduce_tiles(op, w, n, &s, (unsigned char *)s_data);
    else
        scan_stages(op, d_out, n, &s, (unsigned char *)s_data);
}

#endif

#include "launches.h"
