/*
 * Quicksort of all segments at once, by segmented scans.
 *
 * Mapping   a block of 256 threads has a tile of 2048 keys; warp w owns keys 256 w to 256 w + 255
 *           of it, in 8 rows of 32
 * Levels    of random keys about 2.4 log2 n, whatever their order was; of equal keys 1
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
    /* all but heads are 0, so that the sum from the head on is the head's */
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        k->start[r] = is_head(k->heads[r]) ? index_of(tile, r) : 0;
    scan_tile_int(of_scan(d, 0), tile, k->start, k->heads);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        k->pivot[r] = index_of(tile, r) < l.n ? l.d_in[k->start[r]] : 0.0f;
}

static __device__ __forceinline__ way which_way(float key, float pivot)
{
    return key < pivot ? LESS : key == pivot ? EQUAL : GREATER;
}

/* Finds, with the pivots, all else that lane_keys has. */
static __device__ __forceinline__ void rank_keys(descriptors d, int tile, lane_keys *k)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        k->go[r] = which_way(k->key[r], k->pivot[r]);
        k->less[r] = k->go[r] == LESS;
        k->equal[r] = k->go[r] == EQUAL;
    }
    scan_tile_int(of_scan(d, 1), tile, k->less, k->heads);
    scan_tile_int(of_scan(d, 2), tile, k->equal, k->heads);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int before = index_of(tile, r) - k->start[r];
        /* less and equal count the key itself */
        k->rank[r] = k->go[r] == LESS    ? k->less[r] - 1
                     : k->go[r] == EQUAL ? k->equal[r] - 1
                                         : before - k->less[r] - k->equal[r];
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
        /* the last key of a segment has counted all of it */
        if (i == l.n - 1 || l.d_head[i + 1] != 0) {
            l.d_less[start] = k.less[r];
            l.d_equal[start] = k.equal[r];
        }
        again = again || k.go[r] != EQUAL;
    }
    if (again)
        *l.d_again = 1; /* who else does so stores the same */
}

__global__ void __launch_bounds__(THREADS) move_level(level l)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i >= l.n)
        return;
    const int start = l.d_start[i], rank = rank_of(l.d_rank[i]);
    const way w = way_of(l.d_rank[i]);
    const int to =
        start + rank + (w != LESS ? l.d_less[start] : 0) + (w == GREATER ? l.d_equal[start] : 0);
    l.d_out[to] = l.d_in[i];
    l.d_new_head[to] = rank == 0; /* the first that goes this way */
}

/* ---- to the end ------------------------------------------------------------------------------ */

/* Keys in an order that has nothing to do with theirs, so that the first of a segment is any of
   them; and heads of a single segment. */
__global__ void __launch_bounds__(THREADS)
    begin_sort(const float *d_in, float *d_out, int *d_head, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        d_out[i] = d_in[shuffled(i, n)];
        d_head[i] = i == 0;
    }
}

void quicksort_sort(const float *d_in, float *d_out, int n)
{
    level l;
    int again = 0;

    if (n <= 0 || !open_level(n, &l))
        return;
    begin_sort<<<blocks_of(n, THREADS), THREADS>>>(d_in, d_out, l.d_heads[0], n);
    for (int k = 0;; k++) {
        l.d_in = k % 2 == 0 ? d_out : l.d_keys;
        l.d_out = k % 2 == 0 ? l.d_keys : d_out;
        l.d_head = l.d_heads[k % 2];
        l.d_new_head = l.d_heads[(k + 1) % 2];
        cudaMemsetAsync(l.d_again, 0, sizeof again);
        if (!launch_ranks(l) ||
            cudaMemcpy(&again, l.d_again, sizeof again, cudaMemcpyDeviceToHost) != cudaSuccess)
            return;
        if (!again) /* each key is equal to its pivot: all segments are in order */
            break;
        launch_moves(l);
    }
    if (l.d_in != d_out)
        cudaMemcpyAsync(d_out, l.d_in, n * sizeof *d_out, cudaMemcpyDeviceToDevice);
}

/* ---- launches and entries -------------------------------------------------------------------- */

#include "launches.h"

/* Tries functions one by one. If you change what they take, leave it out. */
#include "steps.h"
