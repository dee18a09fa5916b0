// expect: PASS | all lanes of a warp load the key before it
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
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned heads = 0;
    value carried = 0;

    /* the element before the warp's first one, once more from memory: it lies in L2 */
    const long long left_of_warp = first + warp * ELEMENTS - 1;
    if (left_of_warp >= 0 && warp * ELEMENTS < count)
        carried = load_element(t, d_keys, left_of_warp); /* all lanes the same word */
    for (int row = 0; row < ROWS; row++) {
        const int i = index_in_tile(row);
        const value shifted = from_left(t, key[row], 1), left = lane ? shifted : carried;
        const bool is_first = first + i == 0;
        carried = from_lane(t, key[row], 31);
        heads |= (unsigned)(i < count && (is_first || !same_key(t, left, key[row]))) << row;
    }
    return heads;
}

/* open[r]: how many elements of the warp stand between the nearest head to the left of the thread's
   element of row r, that head counted, and that element; all before it where there is no such
   head. Returns the same at the warp's end. count: elements of the tile. */
static __device__ __forceinline__ value open_lengths(unsigned heads, int count, value open[ROWS])
{
    const int lane = threadIdx.x % WARP;
    const unsigned below = (1u << lane) - 1;
    int last = 0; /* open after the rows so far */

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const unsigned votes = __ballot_sync(ALL_LANES, heads >> row & 1), left = votes & below;
        const int there = min(max(count - (index_in_tile(row) - lane), 0), WARP);
        open[row] = left ? lane - (WARP - 1 - __clz((int)left)) : last + min(lane, there);
        last = votes ? there - (WARP - 1 - __clz((int)votes)) : last + there;
    }
    return last;
}

/* What two neighbours come to: `left` lies before `right`. */
static __device__ __forceinline__ pair join(type t, pair left, pair right)
{
    pair both = { left.heads + right.heads, right.open };
    if (right.heads == 0)
        both.open = add(t, left.open, right.open);
    return both;
}

/* As open_lengths, with the sum of the items in place of how many they are. */
static __device__ __forceinline__ value open_sums(type t, unsigned heads, const value item[ROWS],
                                                  value open[ROWS])
{
    const int lane = threadIdx.x % WARP;
    value last = 0;

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const unsigned votes = __ballot_sync(ALL_LANES, heads >> row & 1),
                       upto = votes & (ALL_LANES >> (WARP - 1 - lane));
        const int start = upto ? WARP - 1 - __clz((int)upto) : 0;
        value sum = item[row];
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const value left = from_left(t, sum, distance);
            if (lane - distance >= start)
                sum = add(t, left, sum);
        }
        if (upto == 0)
            sum = add(t, last, sum);
        const value left = from_left(t, sum, 1);
        open[row] = lane > 0 ? left : last;
        last = from_lane(t, sum, WARP - 1);
    }
    return last;
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

    const pair all = join(t, before, own);
    pair so_far = join(t, before, before_warp);
    __syncthreads(); /* the keys have been read */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (heads >> row & 1) {
            /* the warp's first head closes what came with so_far */
            const value total = rank[row] == 0 ? add(t, so_far.open, open[row]) : open[row];
            store_element(t, s_item, before_warp.heads + rank[row], total);
        }
    __syncthreads();
    if (before.heads > 0)
        store_run(t, d_totals, before.heads - 1, s_item, 0, runs);
    else if (runs > 1)
        store_run(t, d_totals, 0, s_item, 1, runs - 1);
    if (threadIdx.x == 64 && tile == (n - 1) / TILE) {
        store_element(t, d_totals, all.heads - 1, all.open);
        *d_count = all.heads;
    }
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
