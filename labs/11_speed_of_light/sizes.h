/*
 * sizes.h: how large everything in lab 11 is, on a GPU and on the simulated one, and where a tile
 * of the array lies.
 */
#ifndef SIZES_H
#define SIZES_H

#include "rows.h"
#include "speed_of_light.h"

#ifdef SCANLAB_ENGINE /* small blocks, and every path at sizes that it runs in a moment */
enum {
    TILE_BYTES = SPEED_ENGINE_TILE_BYTES,
    STAGES = 5,
    WARPS = 4,
    WAVE_WARPS = 2,
    SHARED_WARPS = 1,
    ALONE_BYTES = 512,
    BRISK_TILES = 8, /* more than STAGES: its ring wraps around, too */
    FEWEST_WORDS = 16
};
/* arrays of so many bytes at most are kept in registers, in shared memory */
static const long long REGISTER_BYTES = TILE_BYTES / 4, SHARED_BYTES = TILE_BYTES;
#else
enum {
    TILE_BYTES = SPEED_TILE_BYTES,
    STAGES = 6,
    WARPS = 8,
    WAVE_WARPS = 16,
    SHARED_WARPS = 32,
    ALONE_BYTES = 16384,
    BRISK_TILES = 24,
    FEWEST_WORDS = 2048 /* of a workspace: so many cost next to nothing, and it seldom grows */
};
/* whatever the blocks can hold */
static const long long REGISTER_BYTES = 1LL << 40, SHARED_BYTES = 1LL << 40;
#endif

enum {
    THREADS = WARPS * WARP, /* of a block on older GPUs */
    WAVE_THREADS = WAVE_WARPS * WARP,
    ROWS = TILE_BYTES / (THREADS * ROW_BYTES),
    AHEAD = 2,      /* a block has at most so many tiles on their way */
    WAVE_ROWS = 16, /* a warp keeps at most so many in registers, */
    EARLY_ROWS = 2, /* and scans so many of them while other blocks' sums are on their way */
    /* a warp keeps at most so many in shared memory: 32 such warps fill that of an sm_90 */
    SHARED_ROWS = 14,
    MORE_ROWS = 2, /* and then so many in registers */
    LOOKS = 8      /* a lane looks at no more descriptors at once */
};

static __device__ __forceinline__ int tile_elements(operation op)
{
    return TILE_BYTES / element_bytes(op);
}

/* Elements from `first` on that belong to whoever takes `most` of them. */
static __device__ __forceinline__ int share_of(long long first, int most, long long n)
{
    return first >= n ? 0 : n - first < most ? (int)(n - first) : most;
}

/* Elements of a tile: the last one may be short. */
static __device__ __forceinline__ int count_of(operation op, long long tile, long long n)
{
    return share_of(tile * tile_elements(op), tile_elements(op), n);
}

/* Where a tile begins. */
static __device__ __forceinline__ const unsigned char *source(const void *d_in, long long tile)
{
    return (const unsigned char *)d_in + tile * TILE_BYTES;
}

static __device__ __forceinline__ unsigned char *target(void *d_out, long long tile)
{
    return (unsigned char *)d_out + tile * TILE_BYTES;
}

#endif
