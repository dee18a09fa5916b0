/*
 * stages.h: how large everything in compaction_speed.cu is, and what the warps of a block tell each
 * other about the tile in a stage.
 */
#ifndef STAGES_H
#define STAGES_H

#include "compaction_speed.h"
#include "ring.h"

enum {
#ifdef SCANLAB_ENGINE
    TILE = COMPACTION_SPEED_ENGINE_TILE,
    STAGES = 4,
#else
    TILE = COMPACTION_SPEED_TILE,
    STAGES = 6,
#endif
    ELEMENTS = TILE / CREW, /* of a warp */
    ROWS = ELEMENTS / WARP,
    SELECT_STAGE = TILE * 4, /* bytes */
    /* of keys, the 16 bytes before a tile come along: the key before it is the last of them */
    LEAD_BYTES = 16,
    RUNS_STAGE = LEAD_BYTES + TILE * 4,
    FEW_ROWS = 12,             /* of a warp's rows have a head: stored as they are */
    POSITIONS_BYTES = TILE * 2 /* of heads, before they are stored; behind the stages of runs */
};

/* What is done with the elements; in place, d_out is d_in. */
typedef enum mode { SELECT, PARTITION, IN_PLACE } mode;

/* In place, a block has more warps: fences take so long that two tellers take turns, and two
   keepers stand between look-back and stores. */
enum { SECOND_TELLER = LOADER + 1, KEEPER, IN_PLACE_THREADS = (KEEPER + 2) * WARP };

#if BULK_COPIES

typedef struct select_ring {
    ring r;
    mbarrier open[MOST_STAGES];       /* in place: it may be stored */
    unsigned kept[MOST_STAGES][CREW]; /* of each warp's elements */
    long long before[MOST_STAGES];    /* kept of all tiles before */
} select_ring;

/* Positions of heads are counted from 1; 0: there is none. */
typedef struct runs_ring {
    ring r;
    /* a bit for each head of a warp's elements, a word for each row, four of them together */
    uint4 mask[MOST_STAGES][CREW][(ROWS + 3) / 4];
    unsigned heads[MOST_STAGES][CREW]; /* how many */
    int last[MOST_STAGES][CREW];       /* the last of them, counted from the tile's begin */
    long long before[MOST_STAGES];     /* heads of all tiles before */
    long long head[MOST_STAGES];       /* the last of them, counted from the array's begin */
} runs_ring;

/* How many of a warp's elements of a tile the array has. */
static __device__ __forceinline__ int count_of(long long n, long long tile, int warp)
{
    const long long left = n - tile * TILE - warp * ELEMENTS;

    return left < 0 ? 0 : left < ELEMENTS ? (int)left : ELEMENTS;
}

/* Sum of the first `warps` of a stage's counts, for all lanes. */
static __device__ __forceinline__ unsigned sum_of(const unsigned count[CREW], int warps)
{
    const int lane = threadIdx.x % WARP;

    return add_lanes(lane < warps ? count[lane] : 0);
}

/* Heads of the tile before warp `warp`; *last: the last of them, counted from the tile's begin. */
static __device__ __forceinline__ unsigned heads_before(const runs_ring *s, int stage, int warp,
                                                        int *last)
{
    const int lane = threadIdx.x % WARP;

    *last = largest_of_lanes(lane < warp ? s->last[stage][lane] : 0);
    return sum_of(s->heads[stage], warp);
}

/* Bits of the lanes left of this one. */
static __device__ __forceinline__ unsigned lanes_before(void)
{
    return (1u << threadIdx.x % WARP) - 1;
}

/* Stores `count` ints in whole lines of 128 bytes, but at both ends. step -1: s_from is the first,
   and the others lie before it. The whole warp calls it. */
static __device__ __forceinline__ void store_run(int *d_to, const int *s_from, int step, int count)
{
    const int lane = threadIdx.x % WARP, shift = (int)((unsigned long long)d_to / 4 % WARP);

#pragma unroll 8
    for (int i = lane - shift; i < count; i += WARP)
        if (i >= 0)
            d_to[i] = s_from[i * step];
}

#endif

#endif
