/*
 * tile_steps.h: what the steps of labs 14 and 15 share: flags of a warp's elements (15), and
 * descriptors of tiles for whose places no array is large enough. For inclusion by their steps.h.
 */
#ifndef TILE_STEPS_H
#define TILE_STEPS_H

#include "elements.h"
#include "words.h"

static unsigned steps_blocks(long long n, int per_block)
{
    return (unsigned)((n - 1) / per_block + 1);
}

/* Of a block that is one warp with ELEMENTS elements: the flags of the lane's, and how many the
   warp has. */
static __device__ __forceinline__ unsigned step_flags(const int *d_flag, long long n, int *count)
{
    const long long first = (long long)blockIdx.x * ELEMENTS;
    unsigned flags = 0;

    *count = n - first < ELEMENTS ? (int)(n - first) : ELEMENTS;
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < *count && d_flag[first + index_in_tile(row)] != 0)
            flags |= 1u << row;
    return flags;
}

/* Descriptors of tiles from `far` on, and of a window of 32 before them, in memory of their own.
   False: there is not enough. */
static bool open_far_descriptors(long long far, unsigned tiles, descriptors *d)
{
    const size_t bytes = (1 + WARP + (size_t)tiles) * sizeof *d->word;
    unsigned long long *d_memory = NULL; /* ticket, words */

    if (cudaMalloc((void **)&d_memory, bytes) != cudaSuccess)
        return false;
    cudaMemsetAsync(d_memory, 0, bytes);
    d->ticket = (unsigned *)d_memory;
    d->word = d_memory + 1 + WARP - far;
    d->epoch = 1;
    return true;
}

/* One thread: the next ticket; what all tiles before the first one come to. */
static __global__ void step_far_open(descriptors d, long long tile, bool first, long long before)
{
    *d.ticket = (unsigned)tile;
    if (first)
        d.word[tile - 1] = word_of(d, PREFIX, before);
}

#endif
