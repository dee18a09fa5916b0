/*
 * Quicksort of all segments at once, by segmented scans.
 *
 * Mapping   a block of 256 threads has a tile of 2048 keys; warp w owns keys 256 w to 256 w + 255
 *           of it, in 8 rows of 32
 * Levels    of random keys 2 to 2.6 log2 n; of equal keys 1
 * Bytes     a level 52 n and 8 a segment
 * Work      a level: three segmented scans
 * Source    Sengupta, Harris, Zhang and Owens, Graphics Hardware 2007
 *
 * Given: level.h, what a level works on, and the segmented scan of lab 16; launches.h; steps.h, how
 * functions are tried.
 */
#include <cuda_runtime.h>

#include "level.h"
#include "quicksort.h"

/* ---- one level ------------------------------------------------------------------------------- */

/* Finds start and pivot of each key. */
static __device__ __forceinline__ void find_pivots(level l, descriptors d, int tile, lane_keys *k)
{
    /* TODO 1: distribute: what does a head put in, and what do all others, so that a segmented sum
       (scan_tile_int, of_scan(d, 0)) leaves the index of the head? Then fetch the pivot. */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        k->start[r] = index_of(tile, r);
        k->pivot[r] = index_of(tile, r) < l.n ? l.d_in[k->start[r]] : 0.0f;
    }
}

static __device__ __forceinline__ way which_way(float key, float pivot)
{
    return EQUAL; /* TODO 2: three ways */
}

/* Finds, with the pivots, all else that lane_keys has. */
static __device__ __forceinline__ void rank_keys(descriptors d, int tile, lane_keys *k)
{
    /* TODO 3: go, less and equal of each key; the sums of the last two by scans of their own, 1 and
       2. Then rank: the scans are inclusive, and the third way needs none. */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        k->go[r] = EQUAL;
        k->less[r] = k->equal[r] = k->rank[r] = 0;
    }
}

__global__ void __launch_bounds__(THREADS) rank_level(level l, descriptors d)
{
    const int tile = next_tile(d);
    lane_keys k;
    bool again = false;

    load_keys(l, tile, &k);
    find_pivots(l, d, tile, &k);
    rank_keys(d, tile, &k);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = index_of(tile, r), start = k.start[r];
        if (i >= l.n)
            continue;
        l.d_start[i] = start;
        l.d_rank[i] = pack(k.go[r], k.rank[r]);
        /* TODO 4: which key of a segment has counted all of it, and leaves that in d_less and
           d_equal of the segment? And when does it take another level? */
    }
    if (again)
        *l.d_again = 1; /* who else does so stores the same */
}

__global__ void __launch_bounds__(THREADS) move_level(level l)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i >= l.n)
        return;
    /* TODO 5: where does key i go, and does a new segment begin there? way_of, rank_of. */
    l.d_out[i] = l.d_in[i];
    l.d_new_head[i] = l.d_head[i];
}

/* ---- to the end ------------------------------------------------------------------------------ */

/* Keys in an order that has nothing to do with theirs, so that the first of a segment is any of
   them; and heads of a single segment. */
__global__ void __launch_bounds__(THREADS)
    begin_sort(const float *d_in, float *d_out, int *d_head, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        d_out[i] = d_in[i]; /* TODO 6: shuffled, and the heads */
    }
}

void quicksort_sort(const float *d_in, float *d_out, int n)
{
    level l;

    if (n <= 0 || !open_level(n, &l))
        return;
    begin_sort<<<blocks_of(n, THREADS), THREADS>>>(d_in, d_out, l.d_heads[0], n);
    /* TODO 7: level after level: launch_ranks, launch_moves, from d_out to l.d_keys and back, with
       heads in l.d_heads[0] and [1]. What has d_again to be before a level, and what does the host
       do with it? At last the keys have to be in d_out. */
}

/* ---- launches and entries -------------------------------------------------------------------- */

#include "launches.h"

/* Tries functions one by one. If you change what they take, leave it out. */
#include "steps.h"
