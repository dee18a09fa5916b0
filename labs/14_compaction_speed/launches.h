/*
 * launches.h: the kernels of compaction_speed.cu and the entries of compaction_speed.h. For
 * inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "stages.h"

/* ---- tellers, look-back warps, and blocks ---------------------------------------------------- */

#if BULK_COPIES

static __device__ __forceinline__ void tell_selected(descriptors d, select_ring *s)
{
    place at = { 0, 0 };
    long long tile;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const unsigned kept = sum_of(s->kept[at.stage], CREW);
        if (threadIdx.x % WARP == 0)
            publish(d, tile, false, kept);
        warp_arrives(&s->r.empty[at.stage]);
    }
}

/* In place, a tile has a second word, after the first ones of all: it has been read, and others
   may store there. One of two warps who take turns, as a fence takes longer than a tile; meanwhile
   nobody needs the stage. */
static __device__ __forceinline__ void release_tiles(descriptors d, unsigned tiles, select_ring *s,
                                                     int which)
{
    place at = { 0, 0 };
    long long tile;

    open_epoch(&d);
    for (int turn = which; (tile = tile_at(&s->r, &at)) != NO_TILE; turn++, move_on(&at, STAGES)) {
        warp_arrives(&s->r.empty[at.stage]);
        if (turn % 2 == 0) {
            fence_device();
            if (threadIdx.x % WARP == 0)
                publish(d, tiles + tile, false, 0);
        }
    }
}

/* In place, one of two who take turns: a tile is stored when those that lie there have been read.
   They are two at most, and none of them lies after it. */
static __device__ __forceinline__ void keep_stages(descriptors d, unsigned tiles, select_ring *s,
                                                   int which)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    open_epoch(&d);
    for (int turn = which; (tile = tile_at(&s->r, &at)) != NO_TILE; turn++, move_on(&at, STAGES)) {
        if (turn % 2 == 0) {
            mbarrier_wait(&s->r.placed[at.stage], at.parity);
            mbarrier_wait(&s->r.counted[at.stage], at.parity);
            const long long from = s->before[at.stage], kept = sum_of(s->kept[at.stage], CREW),
                            there = from / TILE + lane;
            if (there * TILE < from + kept && there < tile)
                wait_for_word(d, tiles + there);
            warp_arrives(&s->open[at.stage]);
        }
        warp_arrives(&s->r.empty[at.stage]);
    }
}

static __device__ __forceinline__ void place_selected(mode m, descriptors d, unsigned tiles,
                                                      select_ring *s, long long *d_count)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile, last = 0, before = 0;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; last = tile, move_on(&at, STAGES)) {
        before += kept_between(d, tile, last);
        if (lane == 0)
            s->before[at.stage] = before;
        warp_arrives(&s->r.placed[at.stage]);
    }
    if (last == tiles - 1) { /* it had the last tile */
        before += kept_between(d, tiles, last);
        if (lane == 0)
            *d_count = before;
    }
    if (lane == 0)
        close_epoch(d, m == IN_PLACE ? 2 * tiles : tiles);
}

static __device__ __forceinline__ void select_block(mode m, const int *d_in, int *d_out,
                                                    int *d_rest, long long *d_count, descriptors d,
                                                    long long n, unsigned tiles)
{
    extern __shared__ __align__(128) uint4 s_data[]; /* bulk copies take longer to other places */
    __shared__ select_ring s;
    const int warp = threadIdx.x / WARP;
    const unsigned long long bytes = 4ull * (unsigned long long)n;
    const bool once = m != PARTITION && bytes <= ONCE_BYTES;
    const source in = { (const unsigned char *)d_in, bytes, TILE * 4, 0, 0, once }, none = { 0 };

    if (threadIdx.x == 0)
        for (int stage = 0; stage < STAGES; stage++)
            mbarrier_init(&s.open[stage], 1);
    open_ring(&s.r, STAGES, m == IN_PLACE ? 5 : 1);
    if (warp < CREW)
        compact_tiles(m, n, &s, (unsigned char *)s_data);
    else if (warp < TELLER)
        store_selected(m, d_out, d_rest, n, &s, (unsigned char *)s_data);
    else if (warp == TELLER)
        tell_selected(d, &s);
    else if (warp == LOOKER)
        place_selected(m, d, tiles, &s, d_count);
    else if (m == IN_PLACE && warp >= KEEPER)
        keep_stages(d, tiles, &s, warp - KEEPER);
    else if (m == IN_PLACE && warp >= RELEASER)
        release_tiles(d, tiles, &s, warp - RELEASER);
    else
        load_tiles(in, none, d, tiles, &s.r, (unsigned char *)s_data, STAGES, SELECT_STAGE);
}

#endif

/* ---- kernels and entries --------------------------------------------------------------------- */

KERNEL(select_tiles, RING_THREADS, select_block(SELECT, d_in, d_out, d_other, d_count, d, n, tiles))
KERNEL(select_in_place, IN_PLACE_THREADS,
       select_block(IN_PLACE, d_in, d_out, d_other, d_count, d, n, tiles))
KERNEL(partition_tiles, RING_THREADS,
       select_block(PARTITION, d_in, d_out, d_other, d_count, d, n, tiles))

void compaction_speed_select(const int *d_in, int *d_out, long long *d_count, long long n)
{
    static unsigned resident;

    launch(select_tiles, &resident, RING_THREADS, STAGES * SELECT_STAGE, 1, d_in, d_out, NULL,
           d_count, n);
}

void compaction_speed_in_place(const int *d_in, int *d_out, long long *d_count, long long n)
{
    static unsigned resident;

    launch(select_in_place, &resident, IN_PLACE_THREADS, STAGES * SELECT_STAGE, 2, d_in, d_out,
           NULL, d_count, n);
}

void compaction_speed_partition(const int *d_in, int *d_out, int *d_rest, long long *d_count,
                                long long n)
{
    static unsigned resident;

    launch(partition_tiles, &resident, RING_THREADS, STAGES * SELECT_STAGE, 1, d_in, d_out, d_rest,
           d_count, n);
}

#endif
