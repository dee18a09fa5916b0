/*
 * wave.h: the paths for arrays that fit on the chip. All blocks run at once, and each keeps its
 * elements: a warp has a unit of a tile. The tree is that of the ring, whatever the number of
 * blocks.
 *
 *     scan_thin    up to THIN_TILES tiles: a block has a half or a quarter of one
 *     scan_wave    a block has up to WAVE_TILES tiles, in registers and in shared memory
 *
 * Each is the body of a kernel. Blocks wait for each other, so they are launched together.
 */
#ifndef WAVE_H
#define WAVE_H

#include "tree.h"

enum {
    THIN_WARPS = 16, /* of a block, at most; half as many for THINNEST_TILES */
    WAVE_THREADS = UNITS * WARP,
    KEPT_TILES = 2,   /* of a block, in registers, at most */
#ifdef SCANLAB_ENGINE /* small blocks, and every path at sizes that it runs in a moment */
    SHARED_TILES = 1, /* and in shared memory */
    THINNEST_TILES = 1,
    THIN_TILES = 2,  /* of the array, at most */
    WAVE_BLOCKS = 2, /* of a wave, at most */
    WAVE_SUMS = 8,   /* tiles of a wave, at most */
#else
    SHARED_TILES = 6,
    THINNEST_TILES = 8,
    THIN_TILES = 32,
    WAVE_BLOCKS = 1 << 16, /* whatever the GPU holds */
    WAVE_SUMS = 2048,
#endif
    THIN_THREADS = THIN_WARPS * WARP,
    WAVE_TILES = KEPT_TILES + SHARED_TILES
};

/* ---- a unit ---------------------------------------------------------------------------------- */

/* Elements of a tile's unit, 0 if there are none. */
static __device__ __forceinline__ int unit_count(operation op, long long tile, int unit,
                                                 long long n)
{
    const int most = UNIT_BYTES / element_bytes(op), left = count_of(op, tile, n) - unit * most;

    return left < 0 ? 0 : left < most ? left : most;
}

static __device__ __forceinline__ void load_unit(operation op, const unsigned char *tile,
                                                 bool aligned, int unit, int count,
                                                 value row[UNIT_ROWS][MOST_PER_ROW])
{
#pragma unroll
    for (int r = 0; r < UNIT_ROWS; r++)
        load_row(op, tile + unit * UNIT_BYTES, aligned, row_start(op, r), count, row[r]);
}

/* What the lane has of a unit. */
static __device__ __forceinline__ value sum_unit(operation op, value row[UNIT_ROWS][MOST_PER_ROW])
{
    return add(op, sum_row(op, row[0]), sum_row(op, row[1]));
}

/* The rows of a unit as they go out. before: what lies before the unit. */
static __device__ __forceinline__ void store_unit(operation op, unsigned char *tile, bool aligned,
                                                  int unit, int count, value before,
                                                  value row[UNIT_ROWS][MOST_PER_ROW],
                                                  const value *left, const value *all)
{
#pragma unroll
    for (int r = 0; r < UNIT_ROWS; r++) {
        finish_row(op, before, left[r], row[r]);
        before = add(op, before, all[r]);
        store_row(op, tile + unit * UNIT_BYTES, aligned, row_start(op, r), count, row[r]);
    }
}

/* ---- others' sums ---------------------------------------------------------------------------- */

/* Brings a word near that will be looked at, while the elements are on their way. */
static __device__ __forceinline__ void expect_word(operation op, words w, long long at)
{
    asm volatile("prefetch.global.L2 [%0];"
                 :
                 : "l"(__cvta_generic_to_global(&w.word[words_of(op, at)])));
}

static __device__ __forceinline__ value wait_for(operation op, words w, long long at)
{
    value sum;

    while (!inspect(op, w, at, &sum))
        ;
    return sum;
}

/* Lane l gets U of unit l of four tiles, `step` apart, if they lie before `tile`; else 0. Waits for
   all together. A whole warp calls it. */
static __device__ __forceinline__ void wait_for_tiles(operation op, words w, int first, int tile,
                                                      int step, value v[4])
{
    bool seen[4], all;

#pragma unroll
    for (int k = 0; k < 4; k++) {
        seen[k] = first + k * step >= tile;
        v[k] = 0;
    }
    do {
        all = true;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (!seen[k])
                seen[k] = inspect(op, w, (first + k * step) * UNITS + threadIdx.x % WARP, &v[k]);
            all = all && seen[k];
        }
    } while (!__all_sync(ALL_LANES, all));
}

/* F of the tile after so many of its group, which begins at sum[0]. */
static __device__ __forceinline__ value sum_group(operation op, const value *sum, int tile)
{
    const int lane = threadIdx.x % WARP;
    value column = lane < tile ? sum[lane] : 0;

#pragma unroll
    for (int k = 1; k < COLUMN; k++)
        if (k * WARP < tile)
            column = add(op, column, k * WARP + lane < tile ? sum[k * WARP + lane] : 0);
    return reduce_warp(op, column);
}

/* ---- the smallest arrays: a part of a tile a block ---------------------------------------- */

/* Word u is U of unit u; every block makes T and F of them by itself. One block alone has no words
   to wait for. */
static __device__ __forceinline__ void scan_thin(operation op, const void *d_in, void *d_out,
                                                 words w, long long n)
{
    __shared__ value s_unit[UNITS], s_tile[THIN_TILES];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    const int first = blockIdx.x * warps, tile = first / UNITS, unit = (first + warp) % UNITS,
              count = unit_count(op, tile, unit, n);
    value row[UNIT_ROWS][MOST_PER_ROW], left[UNIT_ROWS], all[UNIT_ROWS], others[4];
    unsigned gone = 0;

    load_unit(op, source(d_in, tile), is_aligned(d_in), unit, count, row);
    if (gridDim.x > 1) {
        open_epoch(&w);
        for (int u = threadIdx.x; u < first; u += blockDim.x)
            expect_word(op, w, u);
    }
    const value sum = reduce_warp(op, sum_unit(op, row));
    if (lane == 0) {
        s_unit[unit] = sum;
        if (gridDim.x > 1)
            publish(op, w, first + warp, sum);
    }
    scan_lanes(op, UNIT_ROWS, row, left, all); /* while sums travel */
    if (warp < tile) {
        wait_for_tiles(op, w, warp, tile, warps, others);
        const value total = reduce_four(op, others);
        if (lane % 8 == 0 && warp + lane / 8 * warps < tile)
            s_tile[warp + lane / 8 * warps] = total;
    }
    if (warp == warps - 1 && lane < first % UNITS)
        s_unit[lane] = wait_for(op, w, tile * UNITS + lane);
    __syncthreads(); /* all have looked */

    if (threadIdx.x == 0 && gridDim.x > 1)
        gone = leave_epoch(w, gridDim.x);
    const value units = scan_warp(op, lane < unit ? s_unit[lane] : 0);
    store_unit(op, target(d_out, tile), is_aligned(d_out), unit, count,
               add(op, sum_group(op, s_tile, tile), up_to_lane(op, units, unit - 1)), row, left,
               all);
    if (threadIdx.x == 0 && gridDim.x > 1)
        close_epoch(w, gone, gridDim.x, words_of(op, gridDim.x * warps));
}

/* ---- larger ones: a tile or more a block ----------------------------------------------------- */

#if BULK_COPIES

/* What a block knows of the tiles up to its own last one. */
typedef struct wave {
    value sum[WAVE_SUMS];            /* T of each */
    value before[WAVE_TILES];        /* A + F of the block's own */
    value total[WAVE_TILES][UNITS];  /* U of their units, */
    value within[WAVE_TILES][UNITS]; /* and what lies before each in its tile */
    mbarrier full[WAVE_TILES];
} wave;

/* What lies before a tile: A of its group, and F. */
static __device__ __forceinline__ value wave_before(operation op, const wave *s, unsigned tile)
{
    const value *sum = s->sum;
    value anchor = 0;

    for (; tile >= GROUP; tile -= GROUP, sum += GROUP)
        anchor = add(op, add(op, anchor, sum_group(op, sum, GROUP - 1)), sum[GROUP - 1]);
    return add(op, anchor, sum_group(op, sum, tile));
}

/* The block's tiles from the `from`-th to the `to`-th come to shared memory, each by a bulk copy.
   One warp calls it, before the block meets. */
static __device__ __forceinline__ void load_shared(operation op, const void *d_in, long long n,
                                                   unsigned first, int from, int to,
                                                   unsigned char *s_data, wave *s)
{
    const int lane = threadIdx.x % WARP;

    for (int j = from; j < to; j++) {
        const unsigned bytes = count_of(op, first + j, n) * element_bytes(op),
                       bulk = is_aligned(d_in) ? bytes & ~15u : 0;
        unsigned char *s_tile = s_data + (j - from) * TILE_BYTES;

        if (lane == 0) {
            mbarrier_init(&s->full[j], WARP);
            asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
            mbarrier_arrive_expecting(&s->full[j], bulk);
            if (bulk > 0)
                bulk_load_once(s_tile, source(d_in, first + j), bulk, &s->full[j]);
        }
        __syncwarp();
        load_rest(s_tile, source(d_in, first + j), bulk, bytes);
        if (lane > 0)
            mbarrier_arrive(&s->full[j]); /* each lane for what it has loaded itself */
    }
}

/* kept + shared tiles a block; the last block may have fewer. */
static __device__ __forceinline__ void scan_wave(operation op, const int kept, int shared,
                                                 const void *d_in, void *d_out, words w,
                                                 long long n, unsigned tiles)
{
    extern __shared__ uint4 s_data[];
    __shared__ wave s;
    const int unit = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const unsigned first = blockIdx.x * (unsigned)(kept + shared);
    const int mine =
        tiles - first < (unsigned)(kept + shared) ? (int)(tiles - first) : kept + shared;
    unsigned char *s_tiles = (unsigned char *)s_data;
    value row[KEPT_TILES][UNIT_ROWS][MOST_PER_ROW], more[UNIT_ROWS][MOST_PER_ROW], left[UNIT_ROWS],
        all[UNIT_ROWS];
    unsigned gone = 0;

#pragma unroll
    for (int j = 0; j < KEPT_TILES && j < kept; j++)
        if (j < mine)
            load_unit(op, source(d_in, first + j), is_aligned(d_in), unit,
                      unit_count(op, first + j, unit, n), row[j]);
    if (unit == 0)
        load_shared(op, d_in, n, first, kept, mine, s_tiles, &s);
    open_epoch(&w);
    for (unsigned t = threadIdx.x; t < first; t += blockDim.x)
        expect_word(op, w, t);
    if (shared > 0)
        __syncthreads(); /* the mbarriers are initialised */

#pragma unroll
    for (int j = 0; j < WAVE_TILES; j += 4) {
        value sum[4];

        if (j >= mine)
            break;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            sum[k] = 0;
            if (j + k >= mine)
                continue;
            if (j + k < kept) {
                sum[k] = sum_unit(op, row[(j + k) % KEPT_TILES]);
            } else {
                mbarrier_wait(&s.full[j + k], 0);
                load_unit(op, s_tiles + (j + k - kept) * TILE_BYTES, true, unit,
                          unit_count(op, first + j + k, unit, n), more);
                sum[k] = sum_unit(op, more);
            }
        }
        const value total = kept + shared > 1 ? reduce_four(op, sum) : reduce_warp(op, sum[0]);
        if (lane % 8 == 0 && j + lane / 8 < mine)
            s.total[j + lane / 8][unit] = total;
    }
    __syncthreads();

    if (unit < mine) {
        const value sum = reduce_warp(op, s.total[unit][lane]);
        if (lane == 0) {
            publish(op, w, first + unit, sum);
            s.sum[first + unit] = sum;
        }
    } else if (unit < 2 * mine) {
        const value scanned = from_left(op, scan_warp(op, s.total[unit - mine][lane]), 1);
        s.within[unit - mine][lane] = lane > 0 ? scanned : 0;
    }
    scan_lanes(op, UNIT_ROWS, row[0], left, all); /* while sums travel */
    for (unsigned t = threadIdx.x; t < first; t += blockDim.x)
        s.sum[t] = wait_for(op, w, t);
    __syncthreads(); /* all have looked */

    if (threadIdx.x == 0)
        gone = leave_epoch(w, gridDim.x);
    value own = 0;
    if (kept + shared == 1) {
        own = wave_before(op, &s, first); /* sooner than by meeting once more */
    } else {
        if (unit < mine) {
            const value before = wave_before(op, &s, first + unit);
            if (lane == 0)
                s.before[unit] = before;
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < WAVE_TILES; j++) {
        if (j >= mine)
            continue;
        const int count = unit_count(op, first + j, unit, n);
        const value before = add(op, kept + shared == 1 ? own : s.before[j], s.within[j][unit]);
        unsigned char *to = target(d_out, first + j);

        if (j < kept) {
            if (j > 0)
                scan_lanes(op, UNIT_ROWS, row[j % KEPT_TILES], left, all);
            store_unit(op, to, is_aligned(d_out), unit, count, before, row[j % KEPT_TILES], left,
                       all);
        } else {
            load_unit(op, s_tiles + (j - kept) * TILE_BYTES, true, unit, count, more);
            scan_lanes(op, UNIT_ROWS, more, left, all);
            store_unit(op, to, is_aligned(d_out), unit, count, before, more, left, all);
        }
    }
    if (threadIdx.x == 0)
        close_epoch(w, gone, gridDim.x, words_of(op, tiles));
}

#endif

#endif
