/*
 * pieces.h: sizes, and what a block does with a piece of its tile: lab 07's tree and lab 07's scan.
 *
 *     sum_block    of one value a thread, in thread 0
 *     scan_piece   in shared memory, where it stands
 */
#ifndef PIECES_H
#define PIECES_H

#include "streaming_scan_wide.h"

enum {
    THREADS = STREAMING_SCAN_THREADS,
    PER_THREAD = STREAMING_SCAN_PER_THREAD, /* elements of a piece */
    PIECE = STREAMING_SCAN_TILE, /* elements; thread t loads and stores t, t + 256, ... */
    PIECE_BYTES = PIECE * (int)sizeof(float),
#ifdef SCANLAB_ENGINE
    HELD = STREAMING_SCAN_WIDE_ENGINE_HELD
#else
    HELD = STREAMING_SCAN_WIDE_HELD
#endif
};

/* The sum of what the threads hand in, in thread 0. Every thread of the block must call it, once:
   it meets barriers. */
static __device__ float sum_block(float sum)
{
    __shared__ float s_sum[THREADS];
    int t = threadIdx.x;

    s_sum[t] = sum;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s_sum[t] = sum += s_sum[t + stride];
    }
    return sum; /* not s_sum[0]: no barrier orders others' reads after its last addition */
}

/* Makes of a piece its inclusive scan. Every thread of the block must call it: it meets barriers,
   the first before it reads and the last at its end. */
static __device__ void scan_piece(float *s_piece)
{
    __shared__ float s_run[THREADS]; /* sums of the threads' runs */
    int t = threadIdx.x;
    int first = t * PER_THREAD;
    float sum = 0.0f;

    __syncthreads();
    for (int k = 0; k < PER_THREAD; k++) {
        sum += s_piece[first + k];
        s_piece[first + k] = sum;
    }

    s_run[t] = sum;
    for (int stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        float left = t >= stride ? s_run[t - stride] : 0.0f;
        __syncthreads();
        if (t >= stride)
            s_run[t] += left;
    }
    __syncthreads();

    float before = t > 0 ? s_run[t - 1] : 0.0f;
    for (int k = 0; k < PER_THREAD; k++)
        s_piece[first + k] += before;
    __syncthreads();
}

#endif
