/*
 * descriptors.h: what tiles publish, as in lab 16: a word for each tile and scan.
 *
 *     word [ epoch, 30 bits | status, 2 bits | an int or a float, 32 bits ]
 *
 * A word is written by one store, so that status and value cannot come apart, and nothing clears
 * the words between launches: a word with the epoch of another launch says INVALID.
 *
 *     next_tile            the whole block: its tile, by ticket
 *     of_scan              the descriptors of one of a launch's scans
 *     publish, inspect     a tile's word
 *     open_descriptors     on the host, before a launch
 */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <cuda_runtime.h>

enum { WARP = 32, SCANS = 3 /* most in a launch */ };

static const unsigned ALL_LANES = 0xffffffffu, LAST_EPOCH = 0x3fffffffu;

/* What a tile has published. PREFIX: also what lies before it, up to its last head. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

typedef struct descriptors {
    unsigned *ticket;         /* tiles taken so far; 0 before and after every launch */
    unsigned long long *word; /* of scan k and tile t: word[k * tiles + t] */
    int tiles;
    unsigned epoch; /* the number of this launch */
} descriptors;

/* A ticket tells who came first, so that the tiles before one's own are all running or done. */
static __device__ __forceinline__ int next_tile(descriptors d)
{
    __shared__ unsigned s_tile;

    if (threadIdx.x == 0)
        s_tile = atomicInc(d.ticket, gridDim.x - 1); /* the last one makes it 0 again */
    __syncthreads();
    return (int)s_tile;
}

static __device__ __forceinline__ descriptors of_scan(descriptors d, int k)
{
    d.word += (long long)k * d.tiles;
    return d;
}

static __device__ __forceinline__ void publish(descriptors d, int tile, status what, unsigned bits)
{
    *(volatile unsigned long long *)&d.word[tile] =
        (unsigned long long)(d.epoch << 2 | what) << 32 | bits;
}

static __device__ __forceinline__ status inspect(descriptors d, int tile, unsigned *bits)
{
    const unsigned long long word = *(volatile unsigned long long *)&d.word[tile];
    const unsigned upper = (unsigned)(word >> 32);

    *bits = (unsigned)word;
    return upper >> 2 == d.epoch ? (status)(upper & 3) : INVALID;
}

/* Descriptors of so many tiles, in an epoch of their own. The memory is kept for the next call,
   which takes more if it needs more. It is cleared when it is new, and when the epochs run out.
   False: there is not enough memory. */
static bool open_descriptors(int tiles, descriptors *d)
{
    static unsigned long long *d_memory; /* ticket, words */
    static int room;                     /* tiles */
    static unsigned epoch;
    const size_t most = tiles > room ? tiles : room, bytes = (1 + SCANS * most) * sizeof *d_memory;

    if (tiles > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, bytes) != cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = tiles;
        epoch = LAST_EPOCH;
    }
    if (epoch == LAST_EPOCH) {
        if (cudaMemsetAsync(d_memory, 0, bytes) != cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = (unsigned *)d_memory;
    d->word = d_memory + 1;
    d->tiles = tiles;
    d->epoch = ++epoch;
    return true;
}

#endif
