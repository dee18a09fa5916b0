/*
 * elements.h: what labs 14 and 15 keep: int, float and long long; and a tile of them in the
 * registers of its block.
 *
 * One body serves all types. A value is the bits of an element, 4-byte types in the lower half. The
 * type is a constant wherever a function is used, and the compiler drops the branches of the
 * others.
 *
 * A warp owns ELEMENTS side by side of its tile, in ROWS rows of 32: lane l has element l of each
 * row. So a ballot covers 32 neighbours, and a row is loaded in whole sectors.
 *
 *     is_kept                       of one element
 *     load_element, store_element   of an array of any of the types
 *     load_tile                     all rows; 0 where the array has ended
 */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <cuda_runtime.h>

#include "compaction.h"

enum {
    WARP = 32,
    THREADS = COMPACTION_THREADS,
    WARPS = THREADS / WARP,
    TILE = COMPACTION_TILE,
    ROWS = TILE / THREADS, /* elements of a thread */
    ELEMENTS = ROWS * WARP /* of a warp */
};

static const unsigned ALL_LANES = 0xffffffffu;

typedef unsigned long long value;
typedef enum type { I32, F32, I64 } type;

/* ---- one element ----------------------------------------------------------------------------- */

static __device__ __forceinline__ bool is_kept(type t, value v)
{
    if (t == F32)
        return __uint_as_float((unsigned)v) >= 0.0f;
    return t == I32 ? (int)(unsigned)v >= 0 : (long long)v >= 0;
}

static __device__ __forceinline__ value load_element(type t, const void *from, long long i)
{
    return t == I64 ? ((const value *)from)[i] : ((const unsigned *)from)[i];
}

static __device__ __forceinline__ void store_element(type t, void *to, long long i, value v)
{
    if (t == I64)
        ((value *)to)[i] = v;
    else
        ((unsigned *)to)[i] = (unsigned)v;
}

/* ---- a tile ---------------------------------------------------------------------------------- */

/* Index in its tile of the thread's element in this row. */
static __device__ __forceinline__ int index_in_tile(int row)
{
    return (threadIdx.x / WARP * ROWS + row) * WARP + threadIdx.x % WARP;
}

/* The thread's elements of the tile that begins at element `first` and has `count` of them. */
static __device__ __forceinline__ void load_tile(type t, const void *d_in, long long first,
                                                 int count, value item[ROWS])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const int i = index_in_tile(row);
        item[row] = i < count ? load_element(t, d_in, first + i) : 0;
    }
}

#endif
