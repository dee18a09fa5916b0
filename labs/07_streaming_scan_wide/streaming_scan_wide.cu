/*
 * Lab 07's chained scan, with the largest tile that a block can hold: a hop costs the same whatever
 * the tile, so fewer of them cost less.
 *
 * Mapping   the k-th block that starts takes wide tile k: HELD pieces of 1792 elements in
 *           registers, and as many more as there is room for in shared memory. Thread t loads and
 *           stores elements t, t + 256, ... of each piece, and scans the 7 from 7 t on
 * Bytes     4n read, 4n written, and 24 for each wide tile: number, prefix and flag, each written
 *           once and read once; 4 more for each poll that finds no flag
 * Work      5 additions an element: one for the sum, 4 for the scan of its piece and what lies
 *           before
 * Depth     the chain's: one addition a wide tile, after what one thread holds and log2 256
 * Source    Yan, Long and Zhang, "StreamScan", PPoPP 2013; larger tiles against the limit of hops:
 *           Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016,
 *           section 3.2
 *
 * Given, each in a header of this folder:
 *     pieces.h      sizes; the sum of a block, the scan of a piece
 *     launches.h    how many pieces this device has room for; the entry
 */
#include <cuda_runtime.h>

#include "pieces.h"
#include "streaming_scan_wide.h"

/* TODO 1: take_tile and pass_on are yours, of lab 07. They need no change: a hop is a hop. */
static __device__ int take_tile(int *d_next_tile) { return blockIdx.x; }

static __device__ float pass_on(int tile, float tile_sum, float *d_prefix, int *d_flag)
{
    return 0.0f;
}

/* Scans a piece of count elements, and stores it with `before` in front. Returns the sum up to its
   end. Every thread of the block must call it: it meets barriers. */
static __device__ float store_piece(float *s_piece, float before, float *d_piece, int count)
{
    /* TODO 2: let scan_piece scan it; store what the array has of it, `before` added; and return
       where the next piece goes on. The next one may take the same shared memory. */

    return before;
}

/* A wide tile has `pieces` pieces: the first HELD stay in registers, the others in s_rest. */
__global__ void __launch_bounds__(THREADS, 1)
    chain_wide(const float *d_in, float *d_out, int n, float *d_prefix, int *d_flag,
               int *d_next_tile, int pieces)
{
    extern __shared__ float s_rest[];
    __shared__ float s_sum[PIECE];
    float held[HELD][PER_THREAD], sum = 0.0f;
    int tile = take_tile(d_next_tile);
    int first = tile * pieces * PIECE, count = n - first;

    /* All loads are on their way before the first is added. The loops are unrolled, so that each
       held[p][k] is a register. */
#pragma unroll
    for (int p = 0; p < HELD; p++)
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++) {
            int i = p * PIECE + k * THREADS + (int)threadIdx.x;
            held[p][k] = i < count ? d_in[first + i] : 0.0f;
        }

    /* TODO 3: load the other pieces into s_rest, zeros past the array's end, each thread its
       elements t, t + 256, ..., and add up in sum what this thread holds, registers and all. */

    /* TODO 4: let sum_block add up the threads, and hand the sum of the tile on as soon as it is
       known: the next block waits for it and for nothing else. Let every thread know what lies
       before. */
    float before = 0.0f;

#pragma unroll
    for (int p = 0; p < HELD; p++)
        if (p * PIECE < count) {
#pragma unroll
            for (int k = 0; k < PER_THREAD; k++)
                s_sum[k * THREADS + (int)threadIdx.x] = held[p][k];
            before = store_piece(s_sum, before, d_out + first + p * PIECE, count - p * PIECE);
        }
    for (int p = HELD; p < pieces && p * PIECE < count; p++)
        before = store_piece(s_rest + (p - HELD) * PIECE, before, d_out + first + p * PIECE,
                             count - p * PIECE);
}

#include "launches.h"
