/*
 * Runs in a single pass: run_length_encode and reduce_by_key.
 *
 * Mapping   a block takes the next tile of 4096 elements by ticket; warp w owns elements 512 w to
 *           512 w + 511 of it, in rows of 32; warp 0 looks back
 * Bytes     of n elements and r runs: keys n + r, and lengths r; by key, values n + r instead.
 *           Descriptors less than 2 % more
 * Work      a ballot and a popc for each row; by key 5 additions an element for its segmented scan
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, sections 4.4 and 5.2
 *
 * One body serves all types. Given: keys.h, what is compared and added, and lab 14's ranks and
 * stores; pairs.h, descriptors and look-back; launches.h, kernels and entries; steps.h, how the
 * parts are tried.
 */
#include <cuda_runtime.h>

#include "keys.h"
#include "pairs.h"
#include "runs.h"

/* ---- heads, and unfinished runs -------------------------------------------------------------- */

/* Bit r: a run begins at the thread's element of row r. No bit where the array has ended. */
static __device__ __forceinline__ unsigned find_heads(type t, const void *d_keys, long long first,
                                                      int count, const value key[ROWS])
{
    unsigned heads = 0;

    /* TODO 1: compare each key with the one to its left, by same_key: in the row, in the row
       before, before the warp's first element. Element 0 of all is a head. */
    return heads;
}

/* open[r]: how many elements of the warp stand between the nearest head to the left of the thread's
   element of row r, that head counted, and that element; all before it where there is no such
   head. Returns the same at the warp's end. count: elements of the tile. */
static __device__ __forceinline__ value open_lengths(unsigned heads, int count, value open[ROWS])
{
    /* TODO 2: a ballot of the row's heads; the nearest one to the left by __clz. Only elements of
       the array are counted. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        open[row] = 0;
    return 0;
}

/* What two neighbours come to: `left` lies before `right`. */
static __device__ __forceinline__ pair join(type t, pair left, pair right)
{
    /* TODO 3: how many heads have both, and how long is the unfinished run after the last of
       them? */
    return right;
}

/* As open_lengths, with the sum of the items in place of how many they are. */
static __device__ __forceinline__ value open_sums(type t, unsigned heads, const value item[ROWS],
                                                  value open[ROWS])
{
    /* TODO 5: an inclusive scan of each row, by shuffles, that adds no lane before the nearest
       head; then the open sum before a lane, and what the row hands on to the next. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        open[row] = 0;
    return 0;
}

/* ---- run_length_encode and reduce_by_key ----------------------------------------------------- */

/* k: type of the keys; t: of d_totals. d_values: null where those are lengths. */
static __device__ __forceinline__ void runs_tile(type k, type t, const void *d_keys,
                                                 const void *d_values, void *d_unique,
                                                 void *d_totals, long long *d_count,
                                                 pair_descriptors d, long long n, void *s_item)
{
    __shared__ unsigned s_tile;
    __shared__ pair s_pair[WARPS], s_before;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const long long tile = take_tile(d.tiles, &s_tile), first = tile * TILE;
    const int count = n - first < TILE ? (int)(n - first) : TILE;
    value key[ROWS], open[ROWS], last;
    pair before_warp = { 0, 0 }, own = { 0, 0 };
    int rank[ROWS];

    load_tile(k, d_keys, first, count, key);
    const unsigned heads = find_heads(k, d_keys, first, count, key);
    if (d_values) {
        value item[ROWS];
        load_tile(t, d_values, first, count, item);
        last = open_sums(t, heads, item, open);
    } else {
        last = open_lengths(heads, count, open);
    }
    const int heads_of_warp = rank_in_warp(heads, rank);
    if (lane == 0)
        s_pair[warp] = { heads_of_warp, last };
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = own;
        own = join(t, own, s_pair[w]);
    }

    if (warp == 0) {
        const pair before = pair_before(t, d, tile, own);
        if (lane == 0)
            s_before = before;
    }
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (heads >> row & 1)
            store_element(k, s_item, before_warp.heads + rank[row], key[row]);
    __syncthreads();
    const pair before = s_before;
    const int runs = (int)own.heads;
    store_run(k, d_unique, before.heads, s_item, 0, runs);

    /* TODO 4: a head closes the run before it: put the open length or sum before each head into its
       place in s_item (who still reads it?), and store it to d_totals. A warp's first head closes a
       run that began before the warp, or before the tile; the first head of all closes none. Who
       closes the last run, and writes *d_count? */
}

/* ---- kernels and entries, one of each for each type ------------------------------------------ */

#include "launches.h"

DEFINE_RUNS(i32, int, I32)
DEFINE_RUNS(f32, float, F32)
DEFINE_RUNS(i64, long long, I64)
DEFINE_BY_KEY(f32, int, I32, float, F32)
DEFINE_BY_KEY(i32, float, F32, int, I32)
DEFINE_BY_KEY(i64, long long, I64, long long, I64)

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
