/*
 * descriptors.h: what a tile of lab 16 publishes, and the look-back of lab 10 over it.
 *
 *     word [ epoch, 30 bits | status, 2 bits | a float, 32 bits ]
 *
 * A tile's word is written by one store, so that status and value cannot come apart, and nothing
 * clears the words between launches: a word with the epoch of another launch says INVALID.
 *
 *     take_tile              thread 0 draws the block's next tile
 *     publish                one thread, for all others
 *     look_back              one warp: AGGREGATEs up to the nearest PREFIX, and that
 *     open_descriptors       on the host, before a launch
 */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <cuda_runtime.h>

enum { WARP = 32 };

static const unsigned ALL_LANES = 0xffffffffu, LAST_EPOCH = 0x3fffffffu;

/* What a tile has published about itself: X, A and P of the paper. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

typedef struct descriptors {
    unsigned *ticket; /* tiles taken so far; 0 before and after every launch */
    unsigned long long *word;
    unsigned epoch;       /* the number of this launch */
    long long first_tile; /* whose ticket is 0 */
} descriptors;

static __host__ __device__ __forceinline__ unsigned long long upper_half(unsigned epoch,
                                                                         status what)
{
    return (unsigned long long)(epoch << 2 | what) << 32;
}

/* A ticket tells who came first, so that the tiles before one's own are all running or done. */
static __device__ __forceinline__ long long take_tile(descriptors d)
{
    return d.first_tile + atomicInc(d.ticket, gridDim.x - 1); /* the last one makes it 0 again */
}

static __device__ __forceinline__ void publish(descriptors d, long long tile, status what, float v)
{
    volatile unsigned long long *word = &d.word[tile];

    *word = upper_half(d.epoch, what) | __float_as_uint(v);
}

static __device__ __forceinline__ status inspect(descriptors d, long long tile, float *v)
{
    const unsigned long long word = *(volatile unsigned long long *)&d.word[tile];
    const unsigned upper = (unsigned)(word >> 32);

    *v = __uint_as_float((unsigned)word);
    return upper >> 2 == d.epoch ? (status)(upper & 3) : INVALID;
}

/* The sum of the AGGREGATEs that lie before `tile`, up to the nearest PREFIX and with it: lab 10's
   look-back. A whole warp calls it. *depth: how many tiles back that PREFIX was. */
static __device__ __forceinline__ float look_back(descriptors d, long long tile, int *depth)
{
    const int lane = threadIdx.x % WARP;
    float before = 0;

    for (long long nearest = tile - 1;; nearest -= WARP) {
        const long long mine = nearest - lane;
        /* left of tile 0 lies the prefix of nothing */
        status seen = mine >= 0 ? INVALID : PREFIX;
        float v = 0;

        while (__any_sync(ALL_LANES, seen == INVALID))
            if (seen == INVALID)
                seen = inspect(d, mine, &v);

        const unsigned prefixes = __ballot_sync(ALL_LANES, seen == PREFIX);
        const int last = prefixes != 0 ? __ffs((int)prefixes) - 1 : WARP - 1;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const float farther = __shfl_down_sync(ALL_LANES, v, distance);
            if (lane + distance <= last)
                v += farther;
        }
        before += __shfl_sync(ALL_LANES, v, 0);
        if (prefixes != 0) {
            *depth = (int)(tile - nearest) + last;
            return before;
        }
    }
}

/* Descriptors of so many tiles, in an epoch of their own. The memory is kept for the next call,
   which takes more if it needs more. It is cleared when it is new, and when the epochs run out.
   False: there is not enough memory. */
static bool open_descriptors(long long tiles, descriptors *d)
{
    static unsigned long long *d_memory; /* ticket, words */
    static long long room;               /* tiles */
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
        if (cudaMemsetAsync(d_memory, 0, (1 + (size_t)room) * sizeof *d_memory) != cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = (unsigned *)d_memory;
    d->word = d_memory + 1;
    d->first_tile = 0;
    d->epoch = ++epoch;
    return true;
}

#endif
