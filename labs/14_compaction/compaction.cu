/*
 * Compaction in a single pass: select_if, partition_if, and select_if in place.
 *
 * Mapping   a block takes the next tile of 4096 elements by ticket; warp w owns elements 512 w to
 *           512 w + 511 of it, in rows of 32; warp 0 looks back
 * Bytes     of n elements, a share s of them kept: n (1 + s), partition 2n. Descriptors less than
 *           2 % more
 * Work      a ballot and a popc for each row
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, sections 4.4 and 5.2
 *
 * One body serves all types. Given: elements.h, the types, and a tile in registers; words.h and
 * look_back.h, tickets, descriptors and look-back; launches.h, kernels and entries; steps.h, how
 * the parts are tried.
 */
#include <cuda_runtime.h>

#include "compaction.h"
#include "elements.h"
#include "look_back.h"

/* ---- ranks and stores ------------------------------------------------------------------------ */

/* flags: bit r is set if the thread's element of row r is kept. rank[r]: of the warp's elements
   that are kept, how many stand before the thread's element of row r: in that row, and in all rows
   before. Returns, to all lanes, how many of the warp's elements are kept. */
static __device__ __forceinline__ int rank_in_warp(unsigned flags, int rank[ROWS])
{
    /* TODO 1: row by row: which lanes keep theirs? __ballot_sync shows all of them at once. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        rank[row] = 0;
    return 0;
}

/* The block stores s_item[skip] and on, `count` of them, to d_out[at] and on. All its threads call
   it; count may be 0. t: the elements' type. */
static __device__ __forceinline__ void store_run(type t, void *d_out, long long at,
                                                 const void *s_item, int skip, int count)
{
    /* TODO 2: neighbouring threads store neighbouring elements, by load_element and store_element.
       at may be far beyond 2^31. */
}

/* On the host, n = 0: no kernel runs. */
static void keep_nothing(long long *d_count)
{
    /* TODO 4, first half: what is in *d_count then? Do not wait for the device: cudaMemsetAsync
       fills bytes without. */
}

/* ---- what tiles publish ---------------------------------------------------------------------- */

/* Publishes how many elements the tile keeps (AGGREGATE), or all up to it (PREFIX).
   One thread calls it. */
static __device__ __forceinline__ void publish(mode m, descriptors d, long long tile, status what,
                                               long long count)
{
    /* TODO 6, first half: IN_PLACE: whoever sees the word, AGGREGATE or PREFIX, may overwrite what
       this tile has read. So a fence, __threadfence(), stands before it, and one after the load in
       inspect. The block's barriers, yours of TODO 3 too, carry both to its other threads. */
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
    /* TODO 6, second half: IN_PLACE, no store of this block comes before the word is seen. A fence
       after each look does no harm, nor does one in other modes. */
    return seen;
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
       Past the array's end load_tile gives 0, which is_kept keeps: leave those elements out. */
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
       store_run: what comes before the warp's elements in the tile, and before the tile? Other
       threads have written what a thread reads in s_item, and s_before: is a barrier missing? */
    /* TODO 4, second half: one thread of the tile that ends the array, where first + count is n,
       stores *d_count, which it knows. */
    /* TODO 5: PARTITION: what is not kept goes to d_rest, in its order. An element that has k kept
       ones before it: how many others? s_item has room for both, the others after the kept ones:
       fill it in the loop of TODO 3, before the barrier. Store them here, by store_run, and only if
       m is PARTITION: d_rest is NULL otherwise. */
}

/* ---- kernels and entries, one of each for each type ------------------------------------------ */

#include "launches.h"

DEFINE_SELECT(i32, int, I32)
DEFINE_SELECT(f32, float, F32)
DEFINE_SELECT(i64, long long, I64)

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
