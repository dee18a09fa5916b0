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
static __device__ long long first_element(long long tile)
{
    return 0; /* TODO 1: n may be far beyond 2^31, and so may this be */
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Publishes v, a tile's aggregate or inclusive prefix. One thread calls it. */
static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile,
                                               status what, value v)
{
    /* TODO 2: a packed value: one 8-byte store of word_of status and value, through a volatile
       pointer. Any other: two stores, the value into d.aggregate or d.prefix, and word_of the
       status, with 0 below it, into d.word[tile]. What must stand between the two? */
}

/* What the tile has published last. *v is set unless that is INVALID. */
static __device__ __forceinline__ status inspect(operation op, descriptors d, long long tile,
                                                 value *v)
{
    /* TODO 3: read d.word[tile] once, as volatile; status_of tells its status. A packed value is
       the lower half of the word, any other is in d.aggregate or d.prefix: when may you read it? */
    *v = identity(op);
    return PREFIX;
}

/* What all tiles before `tile` come to. A whole warp calls it. *depth: how many tiles back the
   PREFIX was found. */
static __device__ __forceinline__ value look_back(operation op, descriptors d, long long tile,
                                                  int *depth)
{
    value before = identity(op);

    /* TODO 4: window by window of 32 tiles, lane 0 at the nearest and lane 31 at the farthest:
       - Each lane inspects its own tile until it is no longer INVALID. Left of tile 0 lies the
         PREFIX of nothing.
       - The warp finds the nearest PREFIX and combines its value with all that lie nearer, the
         farther ones on the left. That goes to the left of `before`.
       - With no PREFIX in the window, go on to the next window. */
    *depth = 0;
    return before;
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

    /* TODO 5: take the next tile by ticket, once for the block. Blocks may start in any order:
       why is blockIdx.x not good enough when a block waits for the tiles before its own?
       atomicInc(address, last) counts 0, 1, ... last, and then starts again at 0. */
    if (threadIdx.x == 0)
        s_tile = blockIdx.x;
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

        /* TODO 6: publish the aggregate, look back, publish the inclusive prefix. Who needs the
           aggregate, and why does tile 0 not look back? */
        if (lane == 0) {
            s_before = before;
            d_depth[tile] = depth;
        }
    }
    __syncthreads();
    /* TODO 7: put what all tiles before come to before the warp's elements as well. On which
       side? */
    store_items(op, d_out, first, count, before_warp, item);
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
