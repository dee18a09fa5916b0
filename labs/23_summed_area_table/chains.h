/*
 * chains.h: what the tiles of lab 23 publish, and the memory for it.
 *
 *     word   [ status, 2 bits | a sum, 62 bits ]
 *
 * A chain is a row of words: the first is published by the first tile of a row or column of tiles,
 * the next one by the tile after it, and so on. Each row of the picture has a chain, from left to
 * right, and each column one, from above down. Words of neighbouring chains are neighbours:
 *
 *     d_left[tile column * rows + y]       of the tile: its part of row y
 *     d_above[tile row * columns + x]      of all rows of pixels that go through the tile: their
 *                                          sum up to column x, from the picture's left border on
 *
 * Words and ticket are cleared before every launch.
 */
#ifndef CHAINS_H
#define CHAINS_H

#include <cuda_runtime.h>

#include "picture.h"

enum {
    SUM_BITS = 62,
    HEAD = 4 /* words before the first: the ticket, and words begin at a sector */
};

/* What a tile has published of a chain: nothing, its own sum, or all up to it. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

typedef unsigned long long word;

typedef struct chains {
    unsigned *ticket;
    word *d_left, *d_above;
} chains;

static __device__ __forceinline__ void publish(word *d_word, status what, sum value)
{
    *(volatile word *)d_word = (word)what << SUM_BITS | (word)value;
}

/* What has been published last. *value is 0 where that is INVALID. */
static __device__ __forceinline__ status inspect(const word *d_word, sum *value)
{
    const word seen = *(const volatile word *)d_word;

    *value = (sum)(seen & (((word)1 << SUM_BITS) - 1));
    return (status)(seen >> SUM_BITS);
}

/* The block's tile, by ticket: all tiles with lower numbers have been taken by blocks that run. The
   whole block calls it. */
static __device__ __forceinline__ int take_tile(chains c)
{
    __shared__ unsigned s_number;

    if (threadIdx.x == 0)
        s_number = atomicAdd(c.ticket, 1u);
    __syncthreads();
    return (int)s_number;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* Chains with so many words each, all INVALID, and a ticket of 0. The memory is kept for the next
   call, which takes more if it needs more. False: there is not enough. */
static bool open_chains(size_t left, size_t above, chains *c)
{
    static word *d_memory;
    static size_t room; /* words */
    const size_t words = HEAD + left + above;

    if (words > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, words * sizeof *d_memory) != cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = words;
    }
    c->ticket = (unsigned *)d_memory;
    c->d_left = d_memory + HEAD;
    c->d_above = c->d_left + left;
    return cudaMemsetAsync(d_memory, 0, words * sizeof *d_memory) == cudaSuccess;
}

#endif
