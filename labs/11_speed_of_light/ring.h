/*
 * ring.h: the ring of lab 11: stages in shared memory through which a persistent block passes its
 * tiles, and the mbarriers between those who work on them.
 *
 * A stage goes through four hands, each of which waits for the one before:
 *
 *     full       the load warp has filled it
 *     reduced    the reducers have added up its parts
 *     placed     a look-back warp knows what lies before its tile
 *     empty      the scanners have read it, and the load warp may fill it again
 *
 * A warp keeps its place in the ring, and moves on from stage to stage.
 */
#ifndef RING_H
#define RING_H

#include "bulk_copies.h"
#include "sizes.h"

/* Who works in a block of the ring, in this order: scanners, WARPS reducers, the warps that look
   back, and the load warp. STEADY takes tiles by ticket: best where there are many. BRISK has twice
   the scanners and look-back warps, and its tiles are dealt out in turn: a tile is through the ring
   sooner, which counts where a block gets no more than BRISK_TILES. */
typedef enum crew { STEADY, BRISK } crew;

enum { STEADY_THREADS = (2 * WARPS + 2) * WARP, BRISK_THREADS = (3 * WARPS + 3) * WARP };

#if BULK_COPIES

static __device__ __forceinline__ int scanners_of(crew c) { return c == BRISK ? 2 * WARPS : WARPS; }

static __device__ __forceinline__ int lookers_of(crew c) { return c == BRISK ? 2 : 1; }

/* Rows of a scanner's part of a tile. */
static __device__ __forceinline__ int rows_of(crew c) { return c == BRISK ? ROWS / 2 : ROWS; }

typedef struct ring {
    mbarrier full[STAGES], reduced[STAGES], placed[STAGES], empty[STAGES];
    long long tile[STAGES];               /* NO_TILE: there are no more */
    long long previous[STAGES];           /* the block's tile before this one, or -1 */
    value total[STAGES][2 * WARPS];       /* of the part of each scanner */
    value before[STAGES], prefix[STAGES]; /* sums of all tiles before, and with this one */
} ring;

static const long long NO_TILE = -1;

/* A hand's place in the ring. The parity is that of the phase it waits for. */
typedef struct place {
    int stage;
    unsigned parity;
} place;

static __device__ __forceinline__ void move_on(place *p, int stages)
{
    p->stage += stages;
    if (p->stage >= STAGES) {
        p->stage -= STAGES;
        p->parity ^= 1;
    }
}

static __device__ __forceinline__ unsigned char *stage_data(unsigned char *s_data, int stage)
{
    return s_data + stage * TILE_BYTES;
}

/* Waits until the stage is full, and returns the tile in it. */
static __device__ __forceinline__ long long tile_at(ring *s, const place *at)
{
    mbarrier_wait(&s->full[at->stage], at->parity);
    return s->tile[at->stage];
}

/* Sum of the stage's parts before `part`, for all lanes of the warp. */
static __device__ __forceinline__ value totals_before(operation op, const ring *s, int stage,
                                                      int part)
{
    const int lane = threadIdx.x % WARP;
    const value total = lane < part ? s->total[stage][lane] : 0;

    /* whatever a lane arrives at next, the whole warp has read them */
    __syncwarp();
    return reduce_warp(op, total);
}

#endif

#endif
