/*
 * keys.h: the keys of labs 17 and 18, and a tile of them in the registers of its block.
 *
 * One body serves all types. Inside the kernels a key is its `bits`: an unsigned number that stands
 * in the order of the keys (to_bits), 4-byte types in the lower half. The type is a constant
 * wherever a function is used, and the compiler drops the branches of the others. I64 is lab 18's.
 *
 * A warp owns ELEMENTS keys side by side of its tile, in ROWS rows of 32: lane l has key l of each
 * row. So a ballot covers 32 neighbours, and a row is loaded in whole sectors.
 *
 *     load_element, store_element      an array of any of the types, global or shared
 *     load_keys, store_keys            a tile; where the array has ended, bits that are all 1
 *     exchange                         keys to their places in the tile, through shared memory
 */
#ifndef KEYS_H
#define KEYS_H

#include <cuda_runtime.h>

#include "block_sort.h"

enum {
    WARP = 32,
    THREADS = RADIX_THREADS,
    WARPS = THREADS / WARP,
    TILE = RADIX_TILE,
    ROWS = TILE / THREADS, /* keys of a thread */
    ELEMENTS = ROWS * WARP /* of a warp */
};

static const unsigned ALL_LANES = 0xffffffffu;

typedef unsigned long long bits;
typedef enum type { U32, I32, F32, I64 } type;

static __device__ __forceinline__ bits to_bits(type t, bits key);
static __device__ __forceinline__ bits from_bits(type t, bits b);

static __device__ __forceinline__ bits load_element(type t, const void *from, int i)
{
    return t == I64 ? ((const bits *)from)[i] : ((const unsigned *)from)[i];
}

static __device__ __forceinline__ void store_element(type t, void *to, int i, bits b)
{
    if (t == I64)
        ((bits *)to)[i] = b;
    else
        ((unsigned *)to)[i] = (unsigned)b;
}

/* ---- a tile ---------------------------------------------------------------------------------- */

static inline int tiles_of(int n) { return (n - 1) / TILE + 1; }

/* How many keys the tile has of n. */
static __host__ __device__ __forceinline__ int keys_of(int tile, int n)
{
    return n - tile * TILE < TILE ? n - tile * TILE : TILE;
}

/* Index in its tile of the thread's key in this row. */
static __device__ __forceinline__ int index_in_tile(int row)
{
    return (threadIdx.x / WARP * ROWS + row) * WARP + threadIdx.x % WARP;
}

static __device__ __forceinline__ void load_keys(type t, const void *d_in, int tile, int count,
                                                 bits key[ROWS])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const int i = index_in_tile(row);
        key[row] = i < count  ? to_bits(t, load_element(t, d_in, tile * TILE + i))
                   : t == I64 ? ~0ull
                              : 0xffffffffu;
    }
}

/* The block stores what it has: rows as they were loaded. */
static __device__ __forceinline__ void store_keys(type t, void *d_out, int tile, int count,
                                                  const bits key[ROWS])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            store_element(t, d_out, tile * TILE + index_in_tile(row), from_bits(t, key[row]));
}

/* Each key of the tile goes to its place: place[] holds 0 to TILE - 1 once each. The whole block
   calls it, and s_key has room for the tile. */
static __device__ __forceinline__ void exchange(type t, bits key[ROWS], const int place[ROWS],
                                                void *s_key)
{
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        store_element(t, s_key, place[row], key[row]);
    __syncthreads();
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        key[row] = load_element(t, s_key, index_in_tile(row));
    __syncthreads(); /* the next exchange overwrites them */
}

#endif
