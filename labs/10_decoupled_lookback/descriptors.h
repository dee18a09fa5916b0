/*
 * descriptors.h: what a tile of lab 10 publishes: a status, and its aggregate or its prefix.
 *
 *     word [ epoch, 30 bits | status, 2 bits | a 4-byte value, or nothing ]
 *
 * Nothing clears the words between launches: a word with the epoch of another launch says INVALID.
 * An 8-byte value has a place beside its word, one for the aggregate and one for the prefix. A sum
 * of long longs can do without fences, in two words, one for each half of the value:
 *
 *     half [ epoch, 30 bits | status, 2 bits | the lower 4 bytes of the value ], and the upper 4
 *
 *     word_of, status_of     make a word, read one
 *     publish_halves, inspect_halves
 *     open_descriptors       on the host, before a launch
 */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <cuda_runtime.h>

#include "operations.h"

static const unsigned LAST_EPOCH = 0x3fffffffu;

/* What a tile has published about itself: X, A and P of the paper. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

/* All but the epoch are arrays in device memory, with an element for each tile. */
typedef struct descriptors {
    unsigned *ticket; /* one for all: tiles taken so far; 0 before and after every launch */
    unsigned long long *word;
    value *aggregate, *prefix; /* of 8-byte values only */
    unsigned epoch;            /* the number of this launch */
    unsigned long long *half;  /* two a tile, side by side */
} descriptors;

static __device__ __forceinline__ unsigned long long word_of(descriptors d, status what,
                                                             unsigned lower)
{
    return (unsigned long long)(d.epoch << 2 | what) << 32 | lower;
}

static __device__ __forceinline__ status status_of(descriptors d, unsigned long long word)
{
    unsigned upper = (unsigned)(word >> 32);

    return upper >> 2 == d.epoch ? (status)(upper & 3) : INVALID;
}

/* As publish and inspect in decoupled_lookback.cu, without a fence: others may see one half before
   the other, and take neither until both say the same. 16 bytes at a time. */
static __device__ __forceinline__ void publish_halves(descriptors d, long long tile, status what,
                                                      value v)
{
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};"
                 :
                 : "l"(__cvta_generic_to_global(d.half + 2 * tile)),
                   "l"(word_of(d, what, (unsigned)v)), "l"(word_of(d, what, (unsigned)(v >> 32)))
                 : "memory");
}

static __device__ __forceinline__ status inspect_halves(descriptors d, long long tile, value *v)
{
    unsigned long long lower, upper;

    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(lower), "=l"(upper)
                 : "l"(__cvta_generic_to_global(d.half + 2 * tile))
                 : "memory");
    *v = upper << 32 | (unsigned)lower;
    return lower >> 32 == upper >> 32 ? status_of(d, lower) : INVALID;
}

/* Descriptors of so many tiles, in an epoch of their own. The memory is kept for the next call,
   which takes more if it needs more. It is cleared when it is new, and when the epochs run out.
   False: there is not enough memory. */
static bool open_descriptors(unsigned tiles, descriptors *d)
{
    enum { TICKET_WORDS = 2 };           /* of which one is there to align what follows */
    static unsigned long long *d_memory; /* ticket, halves, words, aggregates, prefixes */
    static size_t room;                  /* tiles */
    static unsigned epoch;

    if (tiles > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, (TICKET_WORDS + 5 * (size_t)tiles) * sizeof *d_memory) !=
            cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = tiles;
        epoch = LAST_EPOCH;
    }
    if (epoch == LAST_EPOCH) {
        if (cudaMemsetAsync(d_memory, 0, (TICKET_WORDS + 3 * room) * sizeof *d_memory) !=
            cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = (unsigned *)d_memory;
    d->half = d_memory + TICKET_WORDS;
    d->word = d->half + 2 * room;
    d->aggregate = d->word + room;
    d->prefix = d->aggregate + room;
    d->epoch = ++epoch;
    return true;
}

#endif
