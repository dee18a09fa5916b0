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

/* The tile of this block: its place in the order in which blocks start. Every thread must call it,
   once: it meets a barrier. */
static __device__ int take_tile(int *d_next_tile)
{
    __shared__ int s_tile;

    if (threadIdx.x == 0)
        s_tile = atomicAdd(d_next_tile, 1);
    __syncthreads();
    return s_tile;
}

/* The sum of all tiles before this one; leaves the prefix of this tile for the next one's block.
   For one thread of the block. */
static __device__ float pass_on(int tile, float tile_sum, float *d_prefix, int *d_flag)
{
    volatile int *flag = d_flag; /* volatile: each poll reads memory anew */
    float before = 0.0f;

    if (tile > 0) {
        while (flag[tile - 1] == 0)
            ;
        __threadfence(); /* the prefix is read after the flag was seen */
        before = d_prefix[tile - 1];
    }
    d_prefix[tile] = before + tile_sum;
    __threadfence(); /* no other block sees the flag before it can see the prefix */
    flag[tile] = 1;
    return before;
}

/* Scans a piece of count elements, and stores it with `before` in front. Returns the sum up to its
   end. Every thread of the block must call it: it meets barriers. */
static __device__ float store_piece(float *s_piece, float before, float *d_piece, int count)
{
    scan_piece(s_piece);
    for (int i = threadIdx.x; i < PIECE; i += THREADS)
        if (i < count)
            d_piece[i] = before + s_piece[i];
    before += s_piece[PIECE - 1];
    __syncthreads(); /* s_piece may be overwritten now */
    return before;
}

/* A wide tile has `pieces` pieces: the first HELD stay in registers, the others in s_rest. */
__global__ void __launch_bounds__(THREADS, 1)
    chain_wide(const float *d_in, float *d_out, int n, float *d_prefix, int *d_flag,
               int *d_next_tile, int pieces)
{
    extern __shared__ float s_rest[];
    __shared__ float s_sum[PIECE];
    __shared__ float s_before; /* the sum of all tiles before this one */
    float held[HELD][PER_THREAD], sum = 0.0f;
    int tile = take_tile(d_next_tile);
    int first = tile * pieces * PIECE, count = n - first;

    /* All loads are on their way before the first is added. */
#pragma unroll
    for (int p = 0; p < HELD; p++)
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++) {
            int i = p * PIECE + k * THREADS + (int)threadIdx.x;
            held[p][k] = i < count ? d_in[first + i] : 0.0f;
        }
    for (int i = threadIdx.x; i < (pieces - HELD) * PIECE; i += THREADS) {
        s_rest[i] = HELD * PIECE + i < count ? d_in[first + HELD * PIECE + i] : 0.0f;
        sum += s_rest[i];
    }
#pragma unroll
    for (int p = 0; p < HELD; p++)
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++)
            sum += held[p][k];

    /* the next block waits for the sum of this tile and for nothing else: before the scan, then */
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        s_before = pass_on(tile, sum, d_prefix, d_flag);
    __syncthreads();
    float before = s_before;

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
