/*
 * words.h: what tiles publish. Each device has a word for each tile, of all devices, in its
 * own memory. Given, for inclusion by many_gpus_round_robin.cu.
 *
 *     bits 63 ... 33    32    31 ... 0
 *          epoch        kind  sum
 *
 * All of it is written by one store and read by one load: who sees the epoch has the sum too, and
 * no fence is needed between the two. Words are never cleared: one of an earlier launch has another
 * epoch.
 */
#ifndef WORDS_H
#define WORDS_H

#include <cuda_runtime.h>

#include "many_gpus_round_robin.h"

enum { WARP = 32, ALL_LANES = 0xffffffff };

typedef unsigned long long word;

typedef enum kind {
    AGGREGATE, /* the tile's own sum */
    PREFIX     /* the sum of all from tile 0 up to this one */
} kind;

typedef struct words {
    word *of[ROUND_ROBIN_DEVICES]; /* of[d][t]: tile t's word in memory of device d */
    int me, devices;               /* the kernel's own device; how many take part */
    int tiles;                     /* of all devices */
    unsigned epoch;                /* of this launch; launches count from 1 */
} words;

static __device__ word make_word(unsigned epoch, kind what, unsigned sum)
{
    return (word)epoch << 33 | (word)what << 32 | sum;
}

static __device__ unsigned epoch_of(word w) { return (unsigned)(w >> 33); }
static __device__ kind kind_of(word w) { return (kind)(w >> 32 & 1); }
static __device__ unsigned sum_of(word w) { return (unsigned)w; }

/* The sum of all lanes' values, to each lane. */
static __device__ unsigned sum_warp(unsigned value)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
}

#endif
