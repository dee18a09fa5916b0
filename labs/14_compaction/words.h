/*
 * words.h: the words by which the tiles of labs 14 and 15 publish what they hold, and the
 * tickets by which blocks take tiles: lab 10's descriptors, in one word each.
 *
 *     word of a tile   [ status, 2 bits | epoch, 20 bits | count, 42 bits ]
 *
 * Nothing clears the words between launches: a word with the epoch of another launch says INVALID.
 * A count is in the word itself and can never come apart from its status.
 *
 *     take_tile          a block's next tile, by ticket
 *     word_of            a word to publish; status_of and count_of take it apart
 *     last_that_counts   how far a warp that looks back has to look
 *     open_descriptors   on the host, before a launch
 */
#ifndef WORDS_H
#define WORDS_H

#include <cuda_runtime.h>

#include "elements.h"

enum { COUNT_BITS = 42, EPOCH_BITS = 20 };

static const unsigned LAST_EPOCH = (1u << EPOCH_BITS) - 1;

typedef enum status { INVALID, AGGREGATE, PREFIX } status;

/* All but the epoch are arrays in device memory, with an element for each tile. */
typedef struct descriptors {
    unsigned *ticket; /* one for all: tiles taken so far; 0 before and after every launch */
    unsigned long long *word;
    unsigned epoch; /* the number of this launch */
} descriptors;

static __device__ __forceinline__ unsigned long long word_of(descriptors d, status what,
                                                             long long count)
{
    return (unsigned long long)what << (COUNT_BITS + EPOCH_BITS) |
           (unsigned long long)d.epoch << COUNT_BITS | (unsigned long long)count;
}

static __device__ __forceinline__ status status_of(descriptors d, unsigned long long word)
{
    const unsigned epoch = (unsigned)(word >> COUNT_BITS) & LAST_EPOCH;

    return epoch == d.epoch ? (status)(word >> (COUNT_BITS + EPOCH_BITS)) : INVALID;
}

static __device__ __forceinline__ long long count_of(unsigned long long word)
{
    return (long long)(word & ((1ull << COUNT_BITS) - 1));
}

/* The whole block calls it, and s_tile is its own. By ticket: whoever holds a tile knows that all
   tiles before it have been taken by blocks that run. */
static __device__ __forceinline__ long long take_tile(descriptors d, unsigned *s_tile)
{
    if (threadIdx.x == 0)
        *s_tile = atomicInc(d.ticket, gridDim.x - 1); /* the last one makes it 0 again */
    __syncthreads();
    return *s_tile;
}

/* The lanes up to the nearest PREFIX, lane 0 at the nearest tile; all where there is none. */
static __device__ __forceinline__ int last_that_counts(unsigned prefixes)
{
    return prefixes != 0 ? __ffs((int)prefixes) - 1 : WARP - 1;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* Descriptors of so many tiles, in an epoch of their own. The memory is kept for the next call,
   which takes more if it needs more. It is cleared when it is new, and when the epochs run out.
   False: there is not enough memory. */
static bool open_descriptors(unsigned tiles, descriptors *d)
{
    static unsigned long long *d_memory; /* ticket, words */
    static size_t room;                  /* tiles */
    static unsigned epoch;

    if (tiles > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, (1 + (size_t)tiles) * sizeof *d_memory) != cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = tiles;
        epoch = LAST_EPOCH;
    }
    if (epoch == LAST_EPOCH) {
        if (cudaMemsetAsync(d_memory, 0, (1 + room) * sizeof *d_memory) != cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = (unsigned *)d_memory;
    d->word = d_memory + 1;
    d->epoch = ++epoch;
    return true;
}

#endif
