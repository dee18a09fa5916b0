/*
 * descriptors.h: what the blocks of lab 11 publish: a tile's sum, in a word or two of
 * device memory that carry the stamp of the launch.
 *
 * Nothing clears the words between launches: a word with another stamp counts as not written. Every
 * launch is an epoch of its own, and the last block of a launch opens the next one. So a warp
 *
 *     open_epoch      before it looks at a word
 *     inspect         looks at one tile's sum; look_back at those of many
 *     leave_epoch     when it will look at no more words, and then close_epoch
 *
 * speed_of_light.cu defines inspect and close_epoch, and publish, which writes the words.
 */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include "sizes.h"

/* In device memory. The state is three numbers: tickets drawn and blocks finished, both 0 before
   and after every launch, and how many launches there have been. */
typedef struct descriptors {
    unsigned *state;
    /* of a tile: stamp in the upper half, 32 bits of its sum in the lower; 8-byte sums take two */
    unsigned long long *word;
    unsigned long long room; /* words */
    unsigned stamp;          /* of this launch, never 0 */
} descriptors;

enum { TICKETS, FINISHED, EPOCH };

/* Every warp that looks at descriptors calls it first. */
static __device__ __forceinline__ void open_epoch(descriptors *d)
{
    d->stamp = *(volatile unsigned *)&d->state[EPOCH] + 1;
}

/* `times` threads of the launch call both, when their warps will look no more. How many have left
   before? The answer takes as long as a load: best asked early, and looked at late. */
static __device__ __forceinline__ unsigned leave_epoch(descriptors d, unsigned times)
{
    return atomicInc(&d.state[FINISHED], times - 1);
}

/* Takes the next tile, or, once for each block, a number beyond the last tile. The last of these
   numbers sets the tickets back to 0. */
static __device__ __forceinline__ unsigned take_ticket(descriptors d, unsigned tiles)
{
    return atomicInc(&d.state[TICKETS], tiles + gridDim.x - 1);
}

/* Index of a tile's first word: 8-byte sums take two. */
static __device__ __forceinline__ unsigned long long words_of(operation op,
                                                              unsigned long long tiles)
{
    return is_narrow(op) ? tiles : 2 * tiles;
}

static __device__ __forceinline__ unsigned long long stamped(descriptors d, unsigned half)
{
    return (unsigned long long)d.stamp << 32 | half;
}

#endif
