/*
 * tiles.h: what the fast forms of labs 14 and 15 share: how large a tile is, which of its elements
 * a warp has, and how a kernel is launched.
 */
#ifndef TILES_H
#define TILES_H

#include "compaction_speed.h"
#include "ring.h"

enum {
#ifdef SCANLAB_ENGINE
    TILE = COMPACTION_SPEED_ENGINE_TILE,
    STAGES = 4,
#else
    TILE = COMPACTION_SPEED_TILE,
    STAGES = 6,
#endif
    ELEMENTS = TILE / CREW, /* of a warp */
    ROWS = ELEMENTS / WARP
};

#if BULK_COPIES

/* How many of a warp's elements of a tile the array has. */
static __device__ __forceinline__ int count_of(long long n, long long tile, int warp)
{
    const long long left = n - tile * TILE - warp * ELEMENTS;

    return left < 0 ? 0 : left < ELEMENTS ? (int)left : ELEMENTS;
}

/* Sum of the first `warps` of a stage's counts, for all lanes. */
static __device__ __forceinline__ unsigned sum_of(const unsigned count[CREW], int warps)
{
    const int lane = threadIdx.x % WARP;

    return add_lanes(lane < warps ? count[lane] : 0);
}

/* Bits of the lanes left of this one. */
static __device__ __forceinline__ unsigned lanes_before(void)
{
    return (1u << threadIdx.x % WARP) - 1;
}

/* Stores `count` ints in whole lines of 128 bytes, but at both ends. step -1: s_from is the first,
   and the others lie before it. The whole warp calls it. */
static __device__ __forceinline__ void store_run(int *d_to, const int *s_from, int step, int count)
{
    const int lane = threadIdx.x % WARP, shift = (int)((unsigned long long)d_to / 4 % WARP);

#pragma unroll 8
    for (int i = lane - shift; i < count; i += WARP)
        if (i >= 0)
            d_to[i] = s_from[i * step];
}

#define BODY(call) call
#else
#define BODY(call) __trap() /* an error that the caller sees */
#endif

/* ---- kernels --------------------------------------------------------------------------------- */

/* `other` is d_rest, or d_lengths. */
typedef void kernel(const int *d_in, int *d_out, int *d_other, long long *d_count, descriptors d,
                    long long n, unsigned tiles);

#define KERNEL(name, threads, call)                                                                \
    __global__ void __launch_bounds__(threads, 1)                                                  \
        name(const int *d_in, int *d_out, int *d_other, long long *d_count, descriptors d,         \
             long long n, unsigned tiles)                                                          \
    {                                                                                              \
        BODY(call);                                                                                \
    }

static __global__ void keep_nothing(long long *d_count) { *d_count = 0; }

/* words: of a tile. */
static void launch(kernel *k, unsigned *resident, int threads, size_t shared, unsigned words,
                   const int *d_in, int *d_out, int *d_other, long long *d_count, long long n)
{
    const unsigned tiles = n > 0 ? (unsigned)((n - 1) / TILE + 1) : 0,
                   blocks = resident_blocks((const void *)k, threads, shared, resident);
    descriptors d;

    const unsigned grid = tiles < blocks ? tiles : blocks;

    if (n <= 0)
        keep_nothing<<<1, 1>>>(d_count);
    else if (blocks > 0 && open_descriptors(words * tiles, &d))
        k<<<grid, threads, shared>>>(d_in, d_out, d_other, d_count, d, n, tiles);
}

#endif
