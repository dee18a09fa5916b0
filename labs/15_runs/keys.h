/*
 * keys.h: what lab 15 compares and adds, and what it takes from lab 14: ranks, stores and the count
 * of nothing. Types and tiles are those of lab 14, too: see ../14_compaction/elements.h.
 *
 *     same_key, add                          of two elements
 *     from_left, from_lane                   a value of another lane; the whole warp calls them
 *     rank_in_warp, store_run, keep_nothing  lab 14's
 */
#ifndef KEYS_H
#define KEYS_H

#include <cuda_runtime.h>

#include "../14_compaction/elements.h"

/* How many heads, and the unfinished run after the last of them: its length or sum so far. Without
   a head: what all elements come to. */
typedef struct pair {
    long long heads;
    value open;
} pair;

/* ---- two elements ---------------------------------------------------------------------------- */

static __device__ __forceinline__ bool same_key(type t, value a, value b)
{
    if (t == F32)
        return __uint_as_float((unsigned)a) == __uint_as_float((unsigned)b);
    return t == I32 ? (unsigned)a == (unsigned)b : a == b;
}

static __device__ __forceinline__ value add(type t, value a, value b)
{
    if (t == F32)
        return __float_as_uint(__uint_as_float((unsigned)a) + __uint_as_float((unsigned)b));
    return t == I32 ? (unsigned)a + (unsigned)b : a + b;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ value from_left(type t, value v, int distance)
{
    return t == I64 ? __shfl_up_sync(ALL_LANES, v, distance)
                    : __shfl_up_sync(ALL_LANES, (unsigned)v, distance);
}

static __device__ __forceinline__ value from_lane(type t, value v, int from)
{
    return t == I64 ? __shfl_sync(ALL_LANES, v, from) : __shfl_sync(ALL_LANES, (unsigned)v, from);
}

/* ---- lab 14's -------------------------------------------------------------------------------- */

/* flags: bit r is set if the thread's element of row r counts. rank[r]: how many elements of the
   warp count that stand before that one. Returns how many of the warp count, to all its lanes. */
static __device__ __forceinline__ int rank_in_warp(unsigned flags, int rank[ROWS])
{
    const unsigned below = (1u << threadIdx.x % WARP) - 1;
    int count = 0;

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const unsigned counted = __ballot_sync(ALL_LANES, flags >> row & 1);
        rank[row] = count + __popc(counted & below);
        count += __popc(counted);
    }
    return count;
}

/* The block stores s_item[skip] and on, `count` of them, to d_out[at] and on. */
static __device__ __forceinline__ void store_run(type t, void *d_out, long long at,
                                                 const void *s_item, int skip, int count)
{
    for (int i = threadIdx.x; i < count; i += THREADS)
        store_element(t, d_out, at + i, load_element(t, s_item, skip + i));
}

/* On the host, n = 0: no kernel runs. */
static void keep_nothing(long long *d_count) { cudaMemsetAsync(d_count, 0, sizeof *d_count); }

#endif
