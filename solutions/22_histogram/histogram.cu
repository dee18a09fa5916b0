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
    const unsigned same = __match_any_sync(ALL_LANES, bin);
    const unsigned below = (1u << threadIdx.x % WARP) - 1;

    if (bin != NO_BIN && (same & below) == 0)
        atomicAdd(&s_count[bin], (unsigned)__popc(same));
}

/* The block's share of the tiles, counted in shared memory and then added to d_count. together: by
   add_together. */
__global__ void __launch_bounds__(THREADS)
    count_pixels(const unsigned *d_in, unsigned *d_count, int n, bool together)
{
    __shared__ unsigned s_count[BINS];
    const int b = threadIdx.x;

    s_count[b] = 0;
    __syncthreads();
    for (int tile = blockIdx.x; tile < parts_of(n, HISTOGRAM_TILE); tile += gridDim.x) {
        int bin[TURNS];
        load_bins(d_in, tile, n, bin);
#pragma unroll
        for (int turn = 0; turn < TURNS; turn++)
            if (together)
                add_together(s_count, bin[turn]);
            else if (bin[turn] != NO_BIN)
                atomicAdd(&s_count[bin[turn]], 1u);
    }
    __syncthreads();
    if (s_count[b] > 0)
        atomicAdd(&d_count[b], s_count[b]);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* A block answers QUERIES queries. */
__global__ void __launch_bounds__(THREADS)
    answer_queries(const unsigned *d_count, const int *d_low, const int *d_high, unsigned *d_found,
                   int n)
{
    __shared__ unsigned s_before[BINS + 1]; /* pixels in all bins before b */
    const int b = threadIdx.x;
    const unsigned own = d_count[b], before = scan_bins(own);

    s_before[b] = before;
    if (b == BINS - 1)
        s_before[BINS] = before + own;
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < QUERIES / THREADS; turn++) {
        const int i = (int)blockIdx.x * QUERIES + turn * THREADS + b;
        if (i < n)
            d_found[i] = s_before[d_high[i] + 1] - s_before[d_low[i]];
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

#include "launches.h"
