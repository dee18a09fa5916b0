/*
 * others.h: what the blocks of a wave (wave.h) tell each other: each publishes its sum, and asks
 * all blocks before it for theirs.
 */
#ifndef OTHERS_H
#define OTHERS_H

#include "descriptors.h"

typedef struct wave {
    value total[WARP], part[WARP];
} wave;

/* Brings the words of the blocks before this one near, while the elements are on their way. */
static __device__ __forceinline__ void expect_others(operation op, descriptors *d)
{
    if (gridDim.x == 1)
        return;
    open_epoch(d);
    if (threadIdx.x <= blockIdx.x)
        asm volatile("prefetch.global.L2 [%0];"
                     :
                     : "l"(__cvta_generic_to_global(&d->word[words_of(op, threadIdx.x)])));
}

/* Publishes this block's sum, from the sums of its warps' elements. Returns what lies
   before the warp in the block. The whole block calls it. */
static __device__ __forceinline__ value publish_sum(operation op, descriptors d, value sum, wave *s)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

    if (lane == 0)
        s->total[warp] = sum;
    __syncthreads();
    const value total = lane < warps ? s->total[lane] : 0;
    if (warp == 0 && gridDim.x > 1) {
        const value aggregate = reduce_warp(op, total);
        if (lane == 0)
            publish(op, d, blockIdx.x, aggregate);
    }
    return reduce_warp(op, lane < warp ? total : 0);
}

/* What lies before the block. The whole block calls it, and waits for the blocks before it, of
   which some may not have started: only a cooperative launch makes sure that all will. Thread 0
   learns how many blocks have left the epoch before. */
static __device__ __forceinline__ value ask_others(operation op, descriptors d, wave *s,
                                                   unsigned *gone)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    value others = 0;

    if (gridDim.x == 1)
        return 0;
    for (unsigned other = threadIdx.x; other < blockIdx.x; other += blockDim.x) {
        value v;
        while (!inspect(op, d, other, &v))
            ;
        others = add(op, others, v);
    }
    __syncwarp();
    others = reduce_warp(op, others);
    if (lane == 0)
        s->part[warp] = others;
    __syncthreads(); /* all have looked */
    if (threadIdx.x == 0)
        *gone = leave_epoch(d, gridDim.x);
    return reduce_warp(op, lane < warps ? s->part[lane] : 0);
}

#endif
