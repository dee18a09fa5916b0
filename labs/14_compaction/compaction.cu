/*
 * Compaction in a single pass: select_if, partition_if, select_if in place, run_length_encode and
 * reduce_by_key.
 *
 * Mapping   a block takes the next tile of 4096 elements by ticket; warp w owns elements 512 w to
 *           512 w + 511 of it, in rows of 32; warp 0 looks back
 * Bytes     of n elements, a share s of them kept: n (1 + s), partition 2n; of r runs: keys n + r
 *           and lengths r; by key, values n + r instead. Descriptors less than 2 % more
 * Work      a ballot and a popc for each row; by key 5 additions an element for its segmented scan
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, sections 4.4 and 5.2
 *
 * One body serves all types. Given: elements.h, the types, and a tile in registers; look_back.h,
 * tickets, descriptors and look-back; launches.h, kernels and entries; steps.h, how the parts are
 * tried.
 */
#include <cuda_runtime.h>

#include "compaction.h"
#include "elements.h"
#include "look_back.h"

/* ---- ranks and stores ------------------------------------------------------------------------ */

/* flags: bit r is set if the thread's element of row r counts. rank[r]: how many elements of the
   warp count that stand before that one. Returns how many of the warp count, to all its lanes. */
static __device__ __forceinline__ int rank_in_warp(unsigned flags, int rank[ROWS])
{
    /* TODO 1: row by row: which lanes count? __ballot_sync tells all of them at once. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        rank[row] = 0;
    return 0;
}

/* The block stores s_item[skip] and on, `count` of them, to d_out[at] and on. */
static __device__ __forceinline__ void store_run(type t, void *d_out, long long at,
                                                 const void *s_item, int skip, int count)
{
    /* TODO 2: neighbouring threads store neighbouring elements, by load_element and store_element.
       at may be far beyond 2^31. */
}

/* On the host, n = 0: no kernel runs. */
static void keep_nothing(long long *d_count)
{
    /* TODO 4, second half: what is in *d_count then? Do not wait for the device. */
}

/* ---- what tiles tell each other -------------------------------------------------------------- */

/* Tells the other blocks how many elements the tile keeps (AGGREGATE), or all up to it (PREFIX).
   One thread calls it. */
static __device__ __forceinline__ void publish(mode m, descriptors d, long long tile, status what,
                                               long long count)
{
    /* TODO 6: IN_PLACE: whoever sees the word may overwrite what this tile has read. What has to
       stand in front of it, and what behind it, in inspect? */
    *(volatile unsigned long long *)&d.word[tile] = word_of(d, what, count);
}

/* What the tile has published last. *count is set unless that is INVALID. */
static __device__ __forceinline__ status inspect(mode m, descriptors d, long long tile,
                                                 long long *count)
{
    const unsigned long long word = *(volatile unsigned long long *)&d.word[tile];
    const status seen = status_of(d, word);

    if (seen != INVALID)
        *count = count_of(word);
    /* TODO 6, second half */
    return seen;
}

/* What two neighbours come to: `left` lies before `right`. */
static __device__ __forceinline__ pair join(type t, pair left, pair right)
{
    /* TODO 9: how many heads have both, and what is open behind the last of them? */
    return right;
}

/* ---- select_if, partition_if, in place ------------------------------------------------------- */

static __device__ __forceinline__ void select_tile(type t, mode m, const void *d_in, void *d_out,
                                                   void *d_rest, long long *d_count, descriptors d,
                                                   long long n, void *s_item)
{
    __shared__ unsigned s_tile;
    __shared__ int s_kept[WARPS];
    __shared__ long long s_before; /* kept by all tiles before */
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const long long tile = take_tile(d, &s_tile), first = tile * TILE;
    const int count = n - first < TILE ? (int)(n - first) : TILE;
    value item[ROWS];
    int rank[ROWS], before_warp = 0, kept = 0;
    unsigned flags = 0;

    load_tile(t, d_in, first, count, item);
    /* TODO 3, first half: set bit `row` of flags where the thread's element of that row is kept.
       What does load_tile give where the array has ended? */
    const int kept_by_warp = rank_in_warp(flags, rank);
    if (lane == 0)
        s_kept[warp] = kept_by_warp;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = kept;
        kept += s_kept[w];
    }

    if (warp == 0) {
        const long long before = count_before(m, d, tile, kept);
        if (lane == 0)
            s_before = before;
    }
    /* TODO 3, second half: put what is kept side by side into s_item, in its order, and store it by
       store_run: what comes before the warp's elements in the tile, and before the tile? */
    /* TODO 5: PARTITION: what is not kept goes to d_rest, in its order. An element that has k kept
       ones before it: how many others? s_item has room for both. */
    /* TODO 4: one thread of the tile that ends the array knows *d_count. */
}

/* ---- run_length_encode and reduce_by_key ----------------------------------------------------- */

/* Bit r: a run begins at the thread's element of row r. No bit where the array has ended. */
static __device__ __forceinline__ unsigned find_heads(type t, const void *d_keys, long long first,
                                                      int count, const value key[ROWS])
{
    unsigned heads = 0;

    /* TODO 7: compare each key with the one to its left, by same_key: in the row, in the row
       before, before the warp's first element. Element 0 of all is a head. */
    return heads;
}

/* open[r]: how many elements of the warp stand between the nearest head to the left of the thread's
   element of row r, that head counted, and that element; all before it where there is no such
   head. Returns the same at the warp's end. count: elements of the tile. */
static __device__ __forceinline__ value open_lengths(unsigned heads, int count, value open[ROWS])
{
    /* TODO 8: a ballot of the row's heads; the nearest one to the left by __clz. Only elements of
       the array are counted. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        open[row] = 0;
    return 0;
}

/* The same with the sum of the items in place of how many they are. */
static __device__ __forceinline__ value open_sums(type t, unsigned heads, const value item[ROWS],
                                                  value open[ROWS])
{
    /* TODO 11: an inclusive scan of each row, by shuffles, that adds no lane before the nearest
       head; then what is open before a lane, and what the row hands on to the next. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        open[row] = 0;
    return 0;
}

/* k: type of the keys; t: of what is told of a run. d_values: null where that is its length. */
static __device__ __forceinline__ void runs_tile(type k, type t, const void *d_keys,
                                                 const void *d_values, void *d_unique, void *d_told,
                                                 long long *d_count, descriptors d, long long n,
                                                 void *s_item)
{
    __shared__ unsigned s_tile;
    __shared__ pair s_pair[WARPS], s_before;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const long long tile = take_tile(d, &s_tile), first = tile * TILE;
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

    /* TODO 10: a head closes the run before it: put what is open before each head into its place in
       s_item (who still reads it?), and store it to d_told. A warp's first head closes a run that
       began before the warp, or before the tile; the first head of all closes none. Who closes the
       last run, and writes *d_count? */
}

/* ---- kernels and entries, one of each for each type ------------------------------------------ */

#include "launches.h"

DEFINE_SELECT(i32, int, I32)
DEFINE_SELECT(f32, float, F32)
DEFINE_SELECT(i64, long long, I64)
DEFINE_RUNS(i32, int, I32)
DEFINE_RUNS(f32, float, F32)
DEFINE_RUNS(i64, long long, I64)
DEFINE_BY_KEY(f32, int, I32, float, F32)
DEFINE_BY_KEY(i32, float, F32, int, I32)
DEFINE_BY_KEY(i64, long long, I64, long long, I64)

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
