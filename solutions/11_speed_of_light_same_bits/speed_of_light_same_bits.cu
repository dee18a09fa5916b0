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

#if BULK_COPIES

/* What the look-back warp has added up, tile after tile: A of a group, and the columns of the
   group's rows of 32 tiles before `row`. */
typedef struct fold {
    value before, column;
    unsigned row;
} fold;

/* Lane l gets T of tile l of each of the rows from `row` on, 0 for tiles that do not lie before
   `tile`. Waits for all of them. A whole warp calls it. */
static __device__ __forceinline__ void wait_for_rows(operation op, words w, unsigned row,
                                                     long long tile, value v[LOOKS])
{
    const long long mine = (long long)row * WARP + threadIdx.x % WARP;
    bool seen[LOOKS], all;

#pragma unroll
    for (int k = 0; k < LOOKS; k++) {
        seen[k] = mine + k * WARP >= tile;
        v[k] = 0;
    }
    for (;;) {
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            if (!seen[k])
                seen[k] = inspect(op, w, mine + k * WARP, &v[k]);
        all = true;
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            all = all && seen[k];
        if (__all_sync(ALL_LANES, all))
            return;
        __nanosleep(20); /* polls cost bandwidth too */
    }
}

/* What lies before a tile: A of its group, and F. Goes on from the fold, which holds rows before
   the tile's, and leaves the tile's own row for the next tile. A whole warp calls it. */
static __device__ __forceinline__ value before_tile(operation op, words w, long long tile, fold *f)
{
    const unsigned last = (unsigned)(tile / WARP);

    for (;; f->row += LOOKS) {
        value v[LOOKS];

        wait_for_rows(op, w, f->row, tile, v);
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
            const unsigned row = f->row + k;
            const bool begins = row % COLUMN == 0, ends = row % COLUMN == COLUMN - 1;
            /* F of a group's last tile leaves that tile out */
            const value tail = ends && threadIdx.x % WARP == WARP - 1 ? 0 : v[k],
                        column = begins ? tail : add(op, f->column, tail);

            if (row < last && !ends) {
                f->column = column;
                continue;
            }
            const value before = add(op, f->before, reduce_warp(op, column));
            if (row == last) {
                f->row = last;
                return before;
            }
            f->before = add(op, before, from_lane(op, v[k], WARP - 1));
        }
    }
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
    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at)) {
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
    const int scanner = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const bool aligned = is_aligned(d_out);
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at)) {
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
    else if (warp == LOOKER)
        place_tiles(op, w, tiles, &s);
    else if (warp >= WARPS)
        reduce_tiles(op, w, n, &s, (unsigned char *)s_data);
    else
        scan_stages(op, d_out, n, &s, (unsigned char *)s_data);
}

#endif

#include "launches.h"
