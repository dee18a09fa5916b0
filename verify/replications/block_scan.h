/*
 * block_scan.h: exclusive scan of the predicates of a block of 512 threads, in device code: in the
 * warps by ballot and popc, or as a scan of 32-bit integers; then one warp scans the 16 warps'
 * counts, which is the same in all. For ballot_scan.cu and inside.cu; multi_pass.cu takes its sizes
 * from here.
 *
 * Source: Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012, listings 3.1, 3.3,
 * 3.4 and 3.6.
 */
#ifndef REPLICATIONS_BLOCK_SCAN_H
#define REPLICATIONS_BLOCK_SCAN_H

#include <cuda_runtime.h>

#include "replications.h"

enum { THREADS = REPLICATION_COUNT_THREADS, WARP = 32, WARPS = THREADS / WARP };

#define FULL 0xffffffffu /* all lanes of a warp */

/* both are constants wherever they are passed: the compiler makes a kernel of each */
enum how { BALLOT, SHUFFLE, SUMS };
enum barriers { OF_WARP, NONE };

/* The sum of value over the lanes before this one. s_sum: 2 * WARP words of the warp's own; the
   lower half is set to 0, so that a step may read past the warp's first lane. */
static __device__ __forceinline__ uint32_t prefix_sums(enum barriers barriers, uint32_t value,
                                                       uint32_t *s_sum, int lane)
{
    volatile uint32_t *s_kept = s_sum; /* each access stays where it stands, barrier or none */
    uint32_t sum = value;

    s_kept[lane] = 0;
#pragma unroll
    for (int delta = 1; delta < WARP; delta *= 2) {
        s_kept[WARP + lane] = sum;
        if (barriers == OF_WARP)
            __syncwarp();
        sum += s_kept[WARP + lane - delta];
        if (barriers == OF_WARP)
            __syncwarp();
    }
    return sum - value;
}

static __device__ __forceinline__ uint32_t prefix_shuffle(uint32_t value, int lane)
{
    uint32_t sum = value;

#pragma unroll
    for (int delta = 1; delta < WARP; delta *= 2) {
        uint32_t left = __shfl_up_sync(FULL, sum, delta);
        if (lane >= delta)
            sum += left;
    }
    return sum - value;
}

static __device__ __forceinline__ uint32_t prefix_ballot(uint32_t one)
{
    uint32_t before;

    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    return __popc(__ballot_sync(FULL, one) & before);
}

/* How many lanes before this one in the warp have one = 1; one is 0 or 1. s_sum: 2 * WARP words,
   for SUMS as many of each warp. */
static __device__ __forceinline__ uint32_t warp_before(enum how how, enum barriers barriers,
                                                       uint32_t one, uint32_t *s_sum)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    if (how == BALLOT)
        return prefix_ballot(one);
    if (how == SHUFFLE)
        return prefix_shuffle(one, lane);
    return prefix_sums(barriers, one, s_sum + 2 * WARP * warp, lane);
}

/* The sum over the warps before this one; upto: over this warp's lanes up to this one. s_count:
   WARPS words, which may be written again when all threads have come to a barrier after this. */
static __device__ __forceinline__ uint32_t warps_before(enum barriers barriers, uint32_t upto,
                                                        uint32_t *s_count, uint32_t *s_sum)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    if (lane == WARP - 1)
        s_count[warp] = upto;
    __syncthreads();
    if (warp == 0) {
        uint32_t before = prefix_sums(barriers, lane < WARPS ? s_count[lane] : 0, s_sum, lane);
        if (lane < WARPS)
            s_count[lane] = before;
    }
    __syncthreads();
    return s_count[warp];
}

/* Warps that have a place in s_sum. */
#define ROWS_OF(how) ((how) == SUMS ? WARPS : 1)

#endif
