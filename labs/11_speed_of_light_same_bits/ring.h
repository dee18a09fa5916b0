/*
 * ring.h: the ring of lab 11 once more: stages in shared memory through which a persistent block
 * passes its tiles, and the mbarriers between those who work on them.
 *
 *     full       the load warp has filled it
 *     reduced    the reducers have added up its units
 *     placed     the look-back warp knows what lies before the tile
 *     empty      the scanners and the first reducer have read it: the load warp may fill it again
 *
 * Warps of a block, in this order: WARPS scanners, WARPS reducers, one that looks back, one that
 * loads. load_tiles is given, whole.
 */
#ifndef RING_H
#define RING_H

#include "tree.h"

/* A block has at most AHEAD tiles on their way. */
#ifdef SCANLAB_ENGINE /* blocks have 48 KiB of shared memory: one tile */
enum { STAGES = 1, AHEAD = 1 };
#else
enum { STAGES = 6, AHEAD = 2 };
#endif

enum {
    WARPS = 8,
    UNITS_OF_WARP = UNITS / WARPS, /* a scanner's, and a reducer's */
    ROWS_OF_WARP = UNITS_OF_WARP * UNIT_ROWS,
    LOOKER = 2 * WARPS,
    LOADER,
    RING_THREADS = (LOADER + 1) * WARP
};

#if BULK_COPIES

typedef struct ring {
    mbarrier full[STAGES], reduced[STAGES], placed[STAGES], empty[STAGES];
    long long tile[STAGES];     /* NO_TILE: there are no more */
    value total[STAGES][UNITS]; /* U of each unit */
    value before[STAGES];       /* A + F: all that lies before the tile */
} ring;

static const long long NO_TILE = -1;

/* A hand's place in the ring. The parity is that of the phase it waits for. */
typedef struct place {
    int stage;
    unsigned parity;
} place;

static __device__ __forceinline__ void move_on(place *p)
{
    if (++p->stage < STAGES)
        return;
    p->stage = 0;
    p->parity ^= 1;
}

static __device__ __forceinline__ unsigned char *stage_data(unsigned char *s_data, int stage)
{
    return s_data + stage * TILE_BYTES;
}

/* For a warp: what all its lanes have done is done before the arrival. */
static __device__ __forceinline__ void warp_arrives(mbarrier *m)
{
    __syncwarp();
    if (threadIdx.x % WARP == 0)
        mbarrier_arrive(m);
}

/* Waits until the stage is full, and returns the tile in it. */
static __device__ __forceinline__ long long tile_at(ring *s, const place *at)
{
    mbarrier_wait(&s->full[at->stage], at->parity);
    return s->tile[at->stage];
}

/* The whole block calls it. */
static __device__ __forceinline__ void open_ring(ring *s)
{
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(&s->full[stage], WARP);
            mbarrier_init(&s->reduced[stage], WARPS);
            mbarrier_init(&s->placed[stage], 1);
            mbarrier_init(&s->empty[stage], WARPS + 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads(); /* the only one: everything else is between trades */
}

/* The load warp: takes tiles by ticket, and fills stage after stage. Every block draws one ticket
   too many; the last of all makes the counter 0 again. */
static __device__ __forceinline__ void load_tiles(operation op, const void *d_in, words w,
                                                  long long n, unsigned tiles, ring *s,
                                                  unsigned char *s_data)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 1 }, earlier = { 0, 0 }; /* every stage is empty at first */
    unsigned ticket = 0;

    for (unsigned taken = 0;; taken++, move_on(&at)) {
        if (lane == 0) /* on its way while the stage is waited for */
            ticket = atomicInc(&w.state[TICKETS], tiles + gridDim.x - 1);
        mbarrier_wait(&s->empty[at.stage], at.parity);
        const unsigned tile = __shfl_sync(ALL_LANES, ticket, 0);
        if (tile >= tiles)
            break;
        if (taken >= AHEAD) {
            mbarrier_wait(&s->full[earlier.stage], earlier.parity);
            move_on(&earlier);
        }

        const unsigned bytes = (unsigned)(count_of(op, tile, n) * element_bytes(op));
        const unsigned bulk = is_aligned(d_in) ? bytes & ~15u : 0;
        unsigned char *s_tile = stage_data(s_data, at.stage);

        if (bulk < bytes)
            load_rest(s_tile, source(d_in, tile), bulk, bytes);
        if (lane == 0) {
            s->tile[at.stage] = tile;
            mbarrier_arrive_expecting(&s->full[at.stage], bulk);
            if (bulk > 0)
                bulk_load(s_tile, source(d_in, tile), bulk, &s->full[at.stage]);
        } else
            /* each lane for what it has loaded itself */
            mbarrier_arrive(&s->full[at.stage]);
    }
    if (lane == 0)
        s->tile[at.stage] = NO_TILE;
    mbarrier_arrive(&s->full[at.stage]);
}

#endif

#endif
