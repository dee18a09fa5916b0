/*
 * bins.h: pixels and their bins, and what the threads of a block exchange.
 *
 *     load_bins           of HISTOGRAM_TILE pixels: the block's threads take neighbours, in turns
 *     scan_bins           exclusive scan of one number of each thread of the block
 */
#ifndef BINS_H
#define BINS_H

#include <cuda_runtime.h>

#include "histogram.h"

enum {
    WARP = 32,
    THREADS = HISTOGRAM_THREADS,
    WARPS = THREADS / WARP,
    BINS = HISTOGRAM_BINS, /* as many as threads: thread b cares for bin b */
    TURNS = HISTOGRAM_TILE / THREADS,
    QUERIES = 4 * THREADS, /* of a block of histogram_ranges */
    NO_BIN = BINS          /* of a pixel that is not there */
};

static const unsigned ALL_LANES = 0xffffffffu;

static __host__ __device__ __forceinline__ int parts_of(int n, int each)
{
    return (n - 1) / each + 1;
}

static __device__ __forceinline__ int bin_of(unsigned pixel) { return (int)(pixel >> 24); }

/* bin[k]: of the thread's pixels of tile `tile`; NO_BIN after the last of the n pixels. */
static __device__ __forceinline__ void load_bins(const unsigned *d_in, int tile, int n,
                                                 int bin[TURNS])
{
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++) {
        const int i = tile * HISTOGRAM_TILE + turn * THREADS + (int)threadIdx.x;
        bin[turn] = i < n ? bin_of(d_in[i]) : NO_BIN;
    }
}

/* Thread b brings the number of bin b, and gets the sum of those before. The whole block calls it;
   it meets two barriers. */
static __device__ __forceinline__ unsigned scan_bins(unsigned number)
{
    __shared__ unsigned s_sum[WARPS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned all = number, before = 0;

#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const unsigned left = __shfl_up_sync(ALL_LANES, all, distance);
        if (lane >= distance)
            all += left;
    }
    if (lane == WARP - 1)
        s_sum[warp] = all;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        if (w < warp)
            before += s_sum[w];
    __syncthreads(); /* the next scan overwrites them */
    return before + all - number;
}

#endif
