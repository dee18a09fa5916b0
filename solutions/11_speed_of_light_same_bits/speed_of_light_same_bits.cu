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

#if BULK_COPIES

/* What lies before a tile: A of its group, and F. Waits for all of it. A whole warp calls it. */
static __device__ __forceinline__ value before_tile(operation op, words w, unsigned tiles,
                                                    long long tile)
{
    const int lane = threadIdx.x % WARP;
    const long long group = group_of(tile), mine = group * GROUP + lane;
    value v[COLUMN], anchor = 0;
    bool seen[COLUMN], all, anchored = group == 0;

#pragma unroll
    for (int k = 0; k < COLUMN; k++) {
        seen[k] = mine + k * WARP >= tile;
        v[k] = 0;
    }
    for (;;) {
#pragma unroll
        for (int k = 0; k < COLUMN; k++)
            if (!seen[k])
                seen[k] = inspect(op, w, mine + k * WARP, &v[k]);
        if (!anchored)
            anchored = inspect(op, w, tiles + group - 1, &anchor);
        all = anchored;
#pragma unroll
        for (int k = 0; k < COLUMN; k++)
            all = all && seen[k];
        if (__all_sync(ALL_LANES, all))
            break;
        __nanosleep(20); /* polls cost bandwidth too */
    }

    value sum = v[0];
#pragma unroll
    for (int k = 1; k < COLUMN; k++)
        sum = add(op, sum, v[k]);
    return add(op, anchor, reduce_warp(op, sum));
}

/* A reducer adds up its units; the first of them publishes the tile's sum. */
static __device__ __forceinline__ void reduce_tiles(operation op, words w, long long n, ring *s,
                                                    unsigned char *s_data)
{
    const int reducer = threadIdx.x / WARP - WARPS, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    if (reducer == 0)
        open_epoch(&w);
    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1)) {
        const int count = count_of(op, tile, n);
        value row[MOST_PER_ROW], sum[UNITS_OF_WARP];

#pragma unroll
        for (int r = 0; r < ROWS_OF_WARP; r++) {
            load_row(op, stage_data(s_data, at.stage), true,
                     row_start(op, reducer * ROWS_OF_WARP + r), count, row);
            sum[r / UNIT_ROWS] =
                r % UNIT_ROWS ? add(op, sum[r / UNIT_ROWS], sum_row(op, row)) : sum_row(op, row);
        }
        const value unit = reduce_four(op, sum);
        if (lane % 8 == 0)
            s->total[at.stage][reducer * UNITS_OF_WARP + lane / 8] = unit;
        warp_arrives(&s->reduced[at.stage]);
        if (reducer > 0)
            continue;
        mbarrier_wait(&s->reduced[at.stage], at.parity);
        const value total = reduce_warp(op, s->total[at.stage][lane]);
        if (lane == 0)
            publish(op, w, tile, total);
        warp_arrives(&s->empty[at.stage]); /* it has read the totals */
    }
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
    const int scanner = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const bool aligned = is_aligned(d_out);
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1)) {
        const int count = count_of(op, tile, n);
        value row[ROWS_OF_WARP][MOST_PER_ROW], left[ROWS_OF_WARP], all[ROWS_OF_WARP];

#pragma unroll
        for (int r = 0; r < ROWS_OF_WARP; r++)
            load_row(op, stage_data(s_data, at.stage), true,
                     row_start(op, scanner * ROWS_OF_WARP + r), count, row[r]);
        scan_lanes(op, ROWS_OF_WARP, row, left, all);
        mbarrier_wait(&s->placed[at.stage], at.parity);
        const value before = s->before[at.stage], units = scan_warp(op, s->total[at.stage][lane]);
        warp_arrives(&s->empty[at.stage]); /* the whole warp has read the stage */

#pragma unroll
        for (int u = 0; u < UNITS_OF_WARP; u++) {
            value row_before =
                add(op, before, up_to_lane(op, units, scanner * UNITS_OF_WARP + u - 1));
#pragma unroll
            for (int r = u * UNIT_ROWS; r < (u + 1) * UNIT_ROWS; r++) {
                finish_row(op, row_before, left[r], row[r]);
                row_before = add(op, row_before, all[r]);
                store_row(op, target(d_out, tile), aligned,
                          row_start(op, scanner * ROWS_OF_WARP + r), count, row[r]);
            }
        }
    }
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
