/*
 * launches.h: the kernel of segmented_scan_speed.cu and the entry of segmented_scan_speed.h. For
 * inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "stages.h"

#if BULK_COPIES

static __device__ __forceinline__ void tell_tiles(descriptors d, scan_ring *s)
{
    place at = { 0, 0 };
    long long tile;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        bool any;

        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const float open = open_after(s, at.stage, CREW, &any);
        if (threadIdx.x % WARP == 0)
            publish(d, tile, any, __float_as_uint(open));
        warp_arrives(&s->r.empty[at.stage]);
    }
}

static __device__ __forceinline__ void place_tiles(descriptors d, unsigned tiles, scan_ring *s)
{
    place at = { 0, 0 };
    long long tile, last = 0;
    float before = 0.0f;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; last = tile, move_on(&at, STAGES)) {
        before = look_back(d, tile, last, before);
        if (threadIdx.x % WARP == 0)
            s->before[at.stage] = before;
        warp_arrives(&s->r.placed[at.stage]);
    }
    if (threadIdx.x % WARP == 0)
        close_epoch(d, tiles);
}

#endif

__global__ void __launch_bounds__(RING_THREADS, 1)
    segmented_tiles(const float *d_in, const unsigned char *d_head, float *d_out, descriptors d,
                    long long n, unsigned tiles)
{
#if BULK_COPIES
    extern __shared__ __align__(128) uint4 s_data[]; /* bulk copies take longer to other places */
    __shared__ scan_ring s;
    const int warp = threadIdx.x / WARP;
    const source in = { (const unsigned char *)d_in, 4ull * (unsigned long long)n, TILE * 4, 0, 0 },
                 head = { d_head, (unsigned long long)n, TILE, 0, FLAGS_AT };

    if (threadIdx.x == 0)
        for (int stage = 0; stage < STAGES; stage++)
            mbarrier_init(&s.scanned[stage], CREW);
    open_ring(&s.r, STAGES, 1);
    if (warp < CREW)
        scan_tiles(&s, (unsigned char *)s_data);
    else if (warp < TELLER)
        store_tiles(d_out, n, &s, (unsigned char *)s_data);
    else if (warp == TELLER)
        tell_tiles(d, &s);
    else if (warp == LOOKER)
        place_tiles(d, tiles, &s);
    else
        load_tiles(in, head, d, tiles, &s.r, (unsigned char *)s_data, STAGES, STAGE_BYTES);
#else
    __trap(); /* an error that the caller sees */
#endif
}

void segmented_speed(const float *d_in, const unsigned char *d_head, float *d_out, long long n)
{
    static unsigned resident;
    const size_t shared = STAGES * STAGE_BYTES;
    const unsigned tiles = n > 0 ? (unsigned)((n - 1) / TILE + 1) : 0,
                   blocks = resident_blocks((const void *)segmented_tiles, RING_THREADS, shared,
                                            &resident),
                   grid = tiles < blocks ? tiles : blocks;
    descriptors d;

    if (grid > 0 && open_descriptors(tiles, &d))
        segmented_tiles<<<grid, RING_THREADS, shared>>>(d_in, d_head, d_out, d, n, tiles);
}

#endif
