// expect: PASS | one descriptor for all types: a fence before the status of long longs and maps
/*
 * Inclusive scan of a whole array in a single pass: decoupled look-back.
 *
 * Mapping   a block takes the next tile of 8192 elements by ticket; warp w owns elements 2048 w to
 *           2048 w + 2047 of it, in rows of 16 bytes a lane; warp 0 looks back, 32 tiles at a time
 * Bytes     each element read once and written once; a tile's descriptor costs 16 to 32 bytes more,
 *           a look at 32 of them 256
 * Work      about 3n combinations: within a thread's row, for the row, for the tile
 * Depth     look-back waits for aggregates only, never for a neighbour's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4
 *
 * One body serves all types. Given: operations.h, values and how they are combined; tile.h, a tile
 * in registers; descriptors.h, what a tile publishes; steps.h, how the parts are tried.
 */
#include <cuda_runtime.h>

#include "decoupled_lookback.h"
#include "descriptors.h"
#include "operations.h"
#include "tile.h"

/* Blocks that a multiprocessor shall hold. Each keeps its tile in registers, of which there are 256
   KiB. */
enum { RESIDENT_I32 = 5, RESIDENT_F32 = 6, RESIDENT_8 = 2 };

/* Index of the first element of a tile. */
static __device__ long long first_element(long long tile) { return tile * TILE; }

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Publishes v, a tile's aggregate or inclusive prefix. One thread calls it. */
static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile,
                                               status what, value v)
{
    volatile unsigned long long *word = &d.word[tile];

    if (is_packed(op)) {
        /* one store: status and value cannot come apart */
        *word = word_of(d, what, (unsigned)v);
        return;
    }
    if (what == AGGREGATE)
        d.aggregate[tile] = v;
    else
        d.prefix[tile] = v;
    /* whoever sees the status will find the value */
    __threadfence();
    *word = word_of(d, what, 0);
}

/* What the tile has published last. *v is set unless that is INVALID. */
static __device__ __forceinline__ status inspect(operation op, descriptors d, long long tile,
                                                 value *v)
{
    unsigned long long word = *(volatile unsigned long long *)&d.word[tile];
    status seen = status_of(d, word);

    if (is_packed(op)) {
        *v = (unsigned)word;
    } else if (seen != INVALID) {
        /* the value is not read ahead of the status */
        __threadfence();
        *v = seen == PREFIX ? d.prefix[tile] : d.aggregate[tile];
    }
    return seen;
}

/* What all tiles before `tile` come to. A whole warp calls it. *depth: how many tiles back the
   PREFIX was found. */
static __device__ __forceinline__ value look_back(operation op, descriptors d, long long tile,
                                                  int *depth)
{
    const int lane = threadIdx.x % WARP;
    value before = identity(op);

    /* A window of 32 tiles: lane 0 looks at the nearest, lane 31 at the farthest, which lies
       furthest left in the array. */
    for (long long nearest = tile - 1;; nearest -= WARP) {
        const long long mine = nearest - lane;
        /* left of tile 0 lies the prefix of nothing */
        status seen = mine >= 0 ? INVALID : PREFIX;
        value v = identity(op);

        while (__any_sync(ALL_LANES, seen == INVALID))
            if (seen == INVALID)
                seen = inspect(op, d, mine, &v);

        /* Lane 0 gathers its own value and those to its left, up to the nearest PREFIX, or all
           where there is none. Rising distances keep what a lane holds in one piece, so that the
           order stays that of the array. */
        const unsigned prefixes = __ballot_sync(ALL_LANES, seen == PREFIX);
        const int last = prefixes != 0 ? __ffs((int)prefixes) - 1 : WARP - 1;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            value farther = from_right(op, v, distance);
            if (lane + distance <= last)
                v = combine(op, farther, v);
        }
        before = combine(op, from_lane(op, v, 0), before);
        if (prefixes != 0) {
            *depth = (int)(tile - nearest) + last;
            return before;
        }
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static __device__ __forceinline__ void scan_tile(operation op, const void *d_in, void *d_out,
                                                 int *d_depth, descriptors d, long long n)
{
    __shared__ unsigned s_tile;
    __shared__ value s_total[WARPS]; /* of each warp's elements */
    __shared__ value s_before;       /* what all tiles before come to */
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    value item[ITEMS], aggregate = identity(op), before_warp = identity(op);

    /* By ticket: whoever holds a tile knows that all tiles before it have been taken by blocks that
       run. */
    if (threadIdx.x == 0)
        s_tile = atomicInc(d.ticket, gridDim.x - 1); /* the last one makes it 0 again */
    __syncthreads();

    const long long tile = s_tile, first = first_element(tile);
    const int count = n - first < TILE ? (int)(n - first) : TILE;

    load_items(op, d_in, first, count, item);
    value total = scan_warp(op, item);
    if (lane == 0)
        s_total[warp] = total;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = aggregate;
        aggregate = combine(op, aggregate, s_total[w]);
    }

    if (warp == 0) {
        value before = identity(op);
        int depth = 0;

        if (tile > 0) {
            if (lane == 0)
                publish(op, d, tile, AGGREGATE, aggregate);
            before = look_back(op, d, tile, &depth);
        }
        if (lane == 0) {
            publish(op, d, tile, PREFIX, combine(op, before, aggregate));
            s_before = before;
            d_depth[tile] = depth;
        }
    }
    __syncthreads();
    store_items(op, d_out, first, count, combine(op, s_before, before_warp), item);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_I32)
    scan_i32(const int *d_in, int *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(SUM_I32, d_in, d_out, d_depth, d, n);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_F32)
    scan_f32(const float *d_in, float *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(SUM_F32, d_in, d_out, d_depth, d, n);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_8)
    scan_i64(const long long *d_in, long long *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(SUM_I64, d_in, d_out, d_depth, d, n);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_8)
    scan_affine(const affine *d_in, affine *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(COMPOSE, d_in, d_out, d_depth, d, n);
}

__global__ void tile_offsets(const long long *d_tile, long long *d_first, long long n)
{
    long long k = (long long)blockIdx.x * THREADS + threadIdx.x;

    if (k < n)
        d_first[k] = first_element(d_tile[k]);
}

/* ---- launches -------------------------------------------------------------------------------- */

static unsigned blocks(long long n, int per_block) { return (unsigned)((n - 1) / per_block + 1); }

void lookback_i32(const int *d_in, int *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_i32<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_f32(const float *d_in, float *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_f32<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_i64(const long long *d_in, long long *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_i64<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_affine(const affine *d_in, affine *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_affine<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_tile_offsets(const long long *d_tile, long long *d_first, long long n)
{
    if (n > 0)
        tile_offsets<<<blocks(n, THREADS), THREADS>>>(d_tile, d_first, n);
}

/* Tries publish, inspect and look_back one by one. If you change what they take, leave it out. */
#include "steps.h"
