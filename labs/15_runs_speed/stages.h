/*
 * stages.h: how large everything in runs_speed.cu is, and what the warps of a block exchange
 * about the tile in a stage.
 */
#ifndef STAGES_H
#define STAGES_H

#include "../14_compaction_speed/tiles.h"

enum {
    /* the line before a tile comes along, for the key before it: a bulk copy that began within a
       line would take one sector more of each */
    LEAD_BYTES = 128,
    RUNS_STAGE = LEAD_BYTES + TILE * 4,
    FEW_ROWS = 12,              /* of a warp's rows have a head: stored as they are */
    POSITIONS_BYTES = TILE * 2, /* of heads, before they are stored; after the stages of runs */
/* sums by key: smaller elements of more warps. A lane's are neighbours, an odd number of times 16
   bytes, so that lanes which load 16 bytes each meet in no bank */
#ifdef SCANLAB_ENGINE
    SUMS_CREW = CREW,
    SUMS_EACH = TILE / CREW / WARP,
    SUMS_STAGES = 2,
#else
    SUMS_CREW = 12,
    SUMS_EACH = 12,
    SUMS_STAGES = 6,
#endif
    SUMS_ELEMENTS = SUMS_EACH * WARP, /* of a warp */
    SUMS_TILE = SUMS_ELEMENTS * SUMS_CREW,
    KEYS_AT = 128, /* in a stage; the values lie after the keys */
    VALUES_AT = KEYS_AT + SUMS_TILE * 4,
    SUMS_STAGE = VALUES_AT + SUMS_TILE * 4
};

/* Sums by key: as in ring.h, with a larger crew. */
enum {
    SUMS_TELLER = 2 * SUMS_CREW,
    SUMS_LOOKER,
    SUMS_LOADER,
    SUMS_THREADS = (SUMS_LOADER + 1) * WARP
};

#if BULK_COPIES

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

/* A warp's elements end with an open run: its sum is that of the values from the last head on, or
   of all where there is none. */
typedef struct sums_ring {
    ring r;
    unsigned heads[MOST_STAGES][SUMS_CREW]; /* how many */
    unsigned open[MOST_STAGES][SUMS_CREW];
    long long before[MOST_STAGES]; /* heads of all tiles before */
    unsigned carried[MOST_STAGES]; /* the open sum of all tiles before */
} sums_ring;

/* Heads of the tile before warp `warp`; *last: the last of them, counted from the tile's begin. */
static __device__ __forceinline__ unsigned heads_before(const runs_ring *s, int stage, int warp,
                                                        int *last)
{
    const int lane = threadIdx.x % WARP;

    *last = largest_of_lanes(lane < warp ? s->last[stage][lane] : 0);
    return sum_of(s->heads[stage], warp);
}

/* What the first `warps` warps of a tile have: heads, and in *open the open sum at their end. */
static __device__ __forceinline__ unsigned sums_before(const sums_ring *s, int stage, int warps,
                                                       unsigned *open)
{
    const int lane = threadIdx.x % WARP;
    const unsigned heads = lane < warps ? s->heads[stage][lane] : 0,
                   with = __ballot_sync(ALL_LANES, heads > 0);
    const int start = with ? WARP - 1 - __clz((int)with) : 0;

    *open = add_lanes(lane >= start && lane < warps ? s->open[stage][lane] : 0);
    return add_lanes(heads);
}

/* A tile has two words, one for its heads and one for its open sum. 16 bytes at once are as good as
   two accesses of 8, in any order (PTX ISA, memory consistency model, vector data types). So each
   word carries the stamp: nobody takes a new one for the companion of an old one. */
static __device__ __forceinline__ void publish_sums(descriptors d, long long tile, unsigned heads,
                                                    unsigned open)
{
    const unsigned long long stamp = (unsigned long long)d.stamp << 32;

    asm volatile("st.volatile.v2.u64 [%0], {%1, %2};"
                 :
                 : "l"(d.word + 2 * tile), "l"(stamp | heads), "l"(stamp | open)
                 : "memory");
}

/* As look, of both words. */
static __device__ __forceinline__ void look_sums(descriptors d, long long nearest, long long last,
                                                 unsigned heads[LOOKS], unsigned open[LOOKS])
{
    const long long mine = nearest - threadIdx.x % WARP;
    bool seen[LOOKS], all;

#pragma unroll
    for (int k = 0; k < LOOKS; k++) {
        seen[k] = mine - k * WARP < last;
        heads[k] = open[k] = 0;
    }
    for (;;) {
        all = true;
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            if (!seen[k]) {
                unsigned long long first, second;
                asm volatile("ld.volatile.v2.u64 {%0, %1}, [%2];"
                             : "=l"(first), "=l"(second)
                             : "l"(d.word + 2 * (mine - k * WARP))
                             : "memory");
                heads[k] = (unsigned)first;
                open[k] = (unsigned)second;
                seen[k] = (unsigned)(first >> 32) == d.stamp && (unsigned)(second >> 32) == d.stamp;
            }
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            all = all && seen[k];
        if (__all_sync(ALL_LANES, all))
            return;
        __nanosleep(20);
    }
}

#endif

#endif
