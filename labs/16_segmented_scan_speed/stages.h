/*
 * stages.h: how large everything in segmented_scan_speed.cu is, and what the warps of a block
 * exchange about the tile in a stage.
 */
#ifndef STAGES_H
#define STAGES_H

#include "../14_compaction_speed/ring.h"
#include "segmented_scan_speed.h"

enum {
#ifdef SCANLAB_ENGINE
    TILE = SEGMENTED_SPEED_ENGINE_TILE,
    STAGES = 2,
#else
    TILE = SEGMENTED_SPEED_TILE,
    STAGES = 6,
#endif
    /* of a thread of the crew: seven times 16 bytes, an odd number, so that lanes which read
       together meet in no bank */
    EACH = SEGMENTED_SPEED_EACH,
    FLAGS_AT = TILE * 4, /* in a stage, after the elements */
    STAGE_BYTES = TILE * 5
};

#if BULK_COPIES

/* The open sum at the end of a stretch of elements: its sum since the last head, or of all of it
   where it has none. */
typedef struct scan_ring {
    ring r;
    mbarrier scanned[MOST_STAGES]; /* the crew has put sums in place of the elements */
    float open[MOST_STAGES][CREW]; /* at the end of each warp's elements */
    int first[MOST_STAGES][CREW];  /* where in the tile its first head is; TILE: it has none */
    float before[MOST_STAGES];     /* open before the tile */
} scan_ring;

/* A bit for each byte that is not 0. */
static __device__ __forceinline__ unsigned bits_of_bytes(unsigned word)
{
    const unsigned high = (word | ((word & 0x7f7f7f7fu) + 0x7f7f7f7fu)) & 0x80808080u;

    return (high >> 7) * 0x10204080u >> 28;
}

static __device__ __forceinline__ float sum_of_lanes(float v)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        v += __shfl_xor_sync(ALL_LANES, v, distance);
    return v;
}

/* Open at the end of the first `warps` warps' elements of a stage; *any: have they a head? */
static __device__ __forceinline__ float open_after(const scan_ring *s, int stage, int warps,
                                                   bool *any)
{
    const int lane = threadIdx.x % WARP;
    const bool mine = lane < warps;
    const float open = mine ? s->open[stage][lane] : 0.0f;
    const unsigned heads = __ballot_sync(ALL_LANES, mine && s->first[stage][lane] < TILE);
    const int start = heads ? 31 - __clz((int)heads) : 0;
    float sum = lane >= start ? open : 0.0f;

#pragma unroll
    for (int distance = CREW / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    *any = heads != 0;
    return __shfl_sync(ALL_LANES, sum, 0);
}

#endif

#endif
