/*
 * look_back.h: stands in for lab 11's look_back.h and others.h where its scan runs on several GPUs
 * (several.cu). The scan itself is lab 11's solution as it is; what changes is what lies before a
 * tile, and who gets its sum:
 *
 *     shares      a GPU's array is the next part of one that lies on all. Sums of whole shares come
 *                 on the board: a word for each GPU before, pushed by it
 *     a wave      likewise; each block pushes its sum to all GPUs behind, which ask all blocks of
 *                 all GPUs before. There is no board, and nothing is read twice
 *     dealt       tile t of the array is on GPU t mod G; each tile's sum is pushed to all GPUs, and
 *                 the look-back goes over the tiles of all
 *
 * All words carry the stamp of the launch beside the sum, and are written at once, for the system
 * (volatile): so no fence is needed. Sums of int alone: one word each. All GPUs launch together, as
 * many times, and all have ended before the next launch: else a word could be overwritten by a
 * fast GPU before a slow one has looked.
 */
#ifndef LOOK_BACK_H
#define LOOK_BACK_H

#include "descriptors.h"

/* What the solution calls publish tells the GPU's own memory. */
#undef publish

enum {
    MOST_GPUS = 8,
    MOST_BLOCKS = 256, /* of a wave */
    GPUS_AT = 4,       /* words of the state: behind those of descriptors.h */
    BOARD_BYTES = 128  /* in front of the state */
};

/* Behind the three numbers of the state. All zero: one GPU alone. */
typedef struct gpus {
    unsigned me, count, dealt;
    unsigned unused;
    unsigned *state[MOST_GPUS];
} gpus;

/* In front of them. */
typedef struct board {
    unsigned long long entry[MOST_GPUS]; /* stamp, and sum of that GPU's share */
    unsigned sum, reduced;               /* of this GPU's own blocks; 0 between launches */
} board;

static __device__ __forceinline__ const gpus *gpus_of(descriptors d)
{
    return (const gpus *)(d.state + GPUS_AT);
}

static __device__ __forceinline__ board *board_of(unsigned *state)
{
    return (board *)((char *)state - BOARD_BYTES);
}

/* A GPU's words begin where the state ends. */
static __device__ __forceinline__ unsigned long long *words_at(unsigned *state)
{
    return (unsigned long long *)((char *)state + 128);
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* By a warp, when the GPU's share is summed up: lane g tells GPU g. */
static __device__ __forceinline__ void tell_behind(descriptors d, unsigned sum)
{
    const gpus *all = gpus_of(d);
    const unsigned g = threadIdx.x % WARP;

    if (g > all->me && g < all->count)
        *(volatile unsigned long long *)&board_of(all->state[g])->entry[all->me] = stamped(d, sum);
}

/* Sum of the shares of all GPUs before: to all lanes of the warp that asks. */
static __device__ __forceinline__ unsigned sum_before(descriptors d)
{
    const unsigned g = threadIdx.x % WARP, me = gpus_of(d)->me;
    unsigned long long word = 0;

    if (g < me) {
        const volatile unsigned long long *entry = &board_of(d.state)->entry[g];
        while ((unsigned)((word = *entry) >> 32) != d.stamp)
            ;
    }
    __syncwarp();
    return (unsigned)reduce_warp(SUM_I32, (unsigned)word);
}

/* ---- the ring -------------------------------------------------------------------------------- */

#define look_back look_back_here
#undef LOOK_BACK_H
#include "../../../../labs/11_speed_of_light/look_back.h"
#undef look_back

static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile,
                                               value sum)
{
    const gpus *all = gpus_of(d);

    if (!all->dealt) {
        publish_here(op, d, tile, sum);
        return;
    }
    const unsigned long long word = stamped(d, (unsigned)sum);
    const long long at = tile * all->count + all->me;
    for (unsigned k = 1; k < all->count; k++)
        *(volatile unsigned long long *)&words_at(all->state[(all->me + k) % all->count])[at] =
            word;
    /* its own last: it is the nearest */
    *(volatile unsigned long long *)&words_at(d.state)[at] = word;
}

/* As lab 11's, with `looks` descriptors a lane at a time. */
template <int looks>
static __device__ __forceinline__ value look_back_over(descriptors d, long long tile,
                                                       long long last)
{
    const int lane = threadIdx.x % WARP;
    unsigned sum = 0;

    for (long long nearest = tile - 1; nearest > last; nearest -= looks * WARP) {
        const volatile unsigned long long *word = (const volatile unsigned long long *)d.word;
        unsigned missing = 0;

#pragma unroll
        for (int k = 0; k < looks; k++)
            if (nearest - k * WARP - lane > last)
                missing |= 1u << k;
        for (;;) {
            unsigned long long got[looks];

#pragma unroll
            for (int k = 0; k < looks; k++)
                got[k] = missing >> k & 1 ? word[nearest - k * WARP - lane] : 0;
#pragma unroll
            for (int k = 0; k < looks; k++)
                if ((missing >> k & 1) && (unsigned)(got[k] >> 32) == d.stamp) {
                    sum += (unsigned)got[k];
                    missing &= ~(1u << k);
                }
            if (!__any_sync(ALL_LANES, missing != 0))
                break;
            __nanosleep(20);
        }
    }
    return reduce_warp(SUM_I32, sum);
}

/* The block's last tile is a wave of tiles back on each GPU: 132 of them on an H200. */
static __device__ __forceinline__ value look_back(operation op, descriptors d, long long tile,
                                                  long long last)
{
    const gpus *all = gpus_of(d);

    if (all->dealt) {
        const long long count = all->count, me = all->me;
        const long long from = last < 0 ? -1 : last * count + me;
        return count <= 2 ? look_back_over<9>(d, tile * count + me, from)
                          : look_back_over<17>(d, tile * count + me, from);
    }
    value sum = look_back_here(op, d, tile, last);
    if (last < 0)
        sum = add(op, sum_before(d), sum);
    return sum;
}

/* ---- a wave ---------------------------------------------------------------------------------- */

#define OTHERS_H /* in place of lab 11's */

typedef struct wave {
    value total[WARP], part[WARP];
} wave;

static __device__ __forceinline__ unsigned long long *word_of_block(unsigned *state, unsigned gpu,
                                                                    unsigned block)
{
    return &words_at(state)[gpu * MOST_BLOCKS + block];
}

static __device__ __forceinline__ void expect_others(operation op, descriptors *d)
{
    (void)op;
    open_epoch(d);
    const gpus *all = gpus_of(*d);
    for (unsigned k = threadIdx.x; k < all->me * gridDim.x + blockIdx.x; k += blockDim.x)
        asm volatile(
            "prefetch.global.L2 [%0];"
            :
            : "l"(__cvta_generic_to_global(word_of_block(d->state, k / gridDim.x, k % gridDim.x))));
}

static __device__ __forceinline__ value publish_sum(operation op, descriptors d, value sum, wave *s)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

    if (lane == 0)
        s->total[warp] = sum;
    __syncthreads();
    const value total = lane < warps ? s->total[lane] : 0;
    if (warp == 0) {
        const gpus *all = gpus_of(d);
        const unsigned long long word = stamped(d, (unsigned)reduce_warp(op, total));
        const unsigned me = all->me, g = lane;
        if (g == me || (g > me && g < all->count))
            *(volatile unsigned long long *)word_of_block(all->count ? all->state[g] : d.state, me,
                                                          blockIdx.x) = word;
    }
    return reduce_warp(op, lane < warp ? total : 0);
}

static __device__ __forceinline__ value ask_others(operation op, descriptors d, wave *s,
                                                   unsigned *gone)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    const unsigned others = gpus_of(d)->me * gridDim.x + blockIdx.x;
    unsigned sum = 0;

    for (unsigned k = threadIdx.x; k < others; k += blockDim.x) {
        const volatile unsigned long long *at =
            word_of_block(d.state, k / gridDim.x, k % gridDim.x);
        unsigned long long word;
        while ((unsigned)((word = *at) >> 32) != d.stamp)
            ;
        sum += (unsigned)word;
    }
    __syncwarp();
    sum = (unsigned)reduce_warp(op, sum);
    if (lane == 0)
        s->part[warp] = sum;
    __syncthreads(); /* all have looked */
    if (threadIdx.x == 0)
        *gone = leave_epoch(d, gridDim.x);
    return reduce_warp(op, lane < warps ? s->part[lane] : 0);
}

#endif
