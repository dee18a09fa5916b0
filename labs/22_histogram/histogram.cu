/*
 * Histogram: pixels counted in shared memory, by lanes that count together where they agree, and
 * how many pixels a range of bins has.
 *
 * Mapping   a block of 256 threads takes tiles of 4096 pixels; thread b cares for bin b. Ranges: a
 *           block answers 1024 queries
 * Bytes     4 n read, and up to 256 counts of 4 bytes added for each block; 12 a query
 * Work      one atomic a pixel in shared memory, or one for all lanes with the same bin
 * Source    Hadwiger, "GPU and GPGPU Programming", lecture 18
 *
 * Given: bins.h, pixels and their bins; launches.h, entries.
 */
#include <cuda_runtime.h>

#include "bins.h"
#include "histogram.h"

/* ---- counting -------------------------------------------------------------------------------- */

/* Counts one pixel for each lane, whose bin may be NO_BIN: lanes with the same bin count together,
   by one atomic. A whole warp calls it. */
static __device__ __forceinline__ void add_together(unsigned s_count[BINS], int bin)
{
    /* TODO 2: __match_any_sync says who has the lane's bin. Which of them adds, and how many? */
}

/* The block's share of the tiles, counted in shared memory and then added to d_count. together: by
   add_together. */
__global__ void __launch_bounds__(THREADS)
    count_pixels(const unsigned *d_in, unsigned *d_count, int n, bool together)
{
    __shared__ unsigned s_count[BINS];

    /* TODO 1: set s_count to 0; count the bins of each tile, from blockIdx.x on in steps of
       gridDim.x: load_bins; add what the block has to d_count. Where are the two barriers?
       together: add_together counts each turn (TODO 2), also of pixels that are not there. */
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* A block answers QUERIES queries. */
__global__ void __launch_bounds__(THREADS)
    answer_queries(const unsigned *d_count, const int *d_low, const int *d_high, unsigned *d_found,
                   int n)
{
    __shared__ unsigned s_before[BINS + 1]; /* pixels in all bins before b */
    const int b = threadIdx.x;

    /* TODO 3: what is before bin b, and before bin BINS? Then each query takes two look-ups. */
#pragma unroll
    for (int turn = 0; turn < QUERIES / THREADS; turn++) {
        const int i = (int)blockIdx.x * QUERIES + turn * THREADS + b;
        if (i < n)
            d_found[i] = 0;
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

#include "launches.h"
