/*
 * launches.h: the kernels of runs_speed.cu and the entries of runs_speed.h. For inclusion by that
 * file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "runs_speed.h"
#include "stages.h"

/* ---- tellers, look-back warps, and blocks ---------------------------------------------------- */

#if BULK_COPIES

/* In the lower 16 bits the count of heads, in the upper where in the tile the last is. */
static __device__ __forceinline__ void tell_runs(descriptors d, runs_ring *s)
{
    place at = { 0, 0 };
    long long tile;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        int last;

        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const unsigned heads = heads_before(s, at.stage, CREW, &last);
        if (threadIdx.x % WARP == 0)
            publish(d, tile, false, (unsigned)last << 16 | heads);
        warp_arrives(&s->r.empty[at.stage]);
    }
}

static __device__ __forceinline__ void place_runs(descriptors d, unsigned tiles, long long n,
                                                  runs_ring *s, int *d_lengths, long long *d_count)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile, last = 0, before = 0, head = 0;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; last = tile, move_on(&at, STAGES)) {
        before += heads_between(d, tile, last, &head);
        if (lane == 0) {
            s->before[at.stage] = before;
            s->head[at.stage] = head;
        }
        warp_arrives(&s->r.placed[at.stage]);
    }
    if (last == tiles - 1) { /* it had the last tile, and closes the last run */
        before += heads_between(d, tiles, last, &head);
        if (lane == 0) {
            *d_count = before;
            d_lengths[before - 1] = (int)(n - (head - 1));
        }
    }
    if (lane == 0)
        close_epoch(d, tiles);
}

static __device__ __forceinline__ void runs_block(const int *d_keys, int *d_unique, int *d_lengths,
                                                  long long *d_count, descriptors d, long long n,
                                                  unsigned tiles)
{
    extern __shared__ __align__(128) uint4 s_data[]; /* bulk copies take longer to other places */
    __shared__ runs_ring s;
    const int warp = threadIdx.x / WARP;
    const unsigned long long bytes = 4ull * (unsigned long long)n;
    const source keys = { (const unsigned char *)d_keys,
                          bytes,
                          TILE * 4,
                          LEAD_BYTES,
                          LEAD_BYTES,
                          bytes <= ONCE_BYTES },
                 none = { 0 };

    open_ring(&s.r, STAGES, 1);
    if (warp < CREW)
        mark_tiles(n, &s, (unsigned char *)s_data);
    else if (warp < TELLER)
        store_runs(d_unique, d_lengths, &s, (unsigned char *)s_data,
                   (unsigned short *)((unsigned char *)s_data + STAGES * RUNS_STAGE));
    else if (warp == TELLER)
        tell_runs(d, &s);
    else if (warp == LOOKER)
        place_runs(d, tiles, n, &s, d_lengths, d_count);
    else
        load_tiles(keys, none, d, tiles, &s.r, (unsigned char *)s_data, STAGES, RUNS_STAGE);
}

#endif

/* ---- kernels and entries --------------------------------------------------------------------- */

KERNEL(encode_runs, RING_THREADS, runs_block(d_in, d_out, d_other, d_count, d, n, tiles))

void runs_speed_lengths(const int *d_keys, int *d_unique, int *d_lengths, long long *d_count,
                        long long n)
{
    static unsigned resident;

    launch(encode_runs, &resident, RING_THREADS, STAGES * RUNS_STAGE + POSITIONS_BYTES, 1, d_keys,
           d_unique, d_lengths, d_count, n);
}

#include "by_key.h"

#endif
