/*
 * Quicksort of all segments at once, and sparse matrix times vector: by segmented scans.
 *
 * Mapping   a block of 256 threads has a tile of 2048 elements; warp w owns elements 256 w to
 *           256 w + 255 of it, in 8 rows of 32
 * Levels    of random keys 2 to 2.6 log2 n; of equal keys 1
 * Bytes     a level 52 n and 8 a segment; a matrix 12 a nonzero, of which 4 gather x, and 8 a row
 * Work      a level: three segmented scans; a matrix: one
 * Source    Sengupta, Harris, Zhang and Owens, Graphics Hardware 2007
 *
 * Given: tile.h, a tile in registers, and the segmented scan of lab 16; level.h, what a level works
 * on; launches.h; steps.h, how functions are tried.
 */
#include <cuda_runtime.h>

#include "level.h"
#include "quicksort_spmv.h"
#include "tile.h"

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

/* ---- sparse matrix times vector -------------------------------------------------------------- */

typedef struct matrix {
    const float *d_value;
    const int *d_column, *d_offset;
    int rows, n; /* nonzeros */
} matrix;

static __device__ __forceinline__ float product(matrix m, const float *d_x, int i)
{
    return m.d_value[i]; /* TODO 8 */
}

/* Backward: place p of a tile is nonzero high - 1 - p, so that a row's last nonzero is a head, and
   its sum is complete at its first. */
__global__ void __launch_bounds__(THREADS)
    multiply_backward(matrix m, const float *d_x, float *d_y, descriptors d)
{
    __shared__ unsigned char s_head[TILE];
    __shared__ float s_sum[TILE];
    __shared__ int s_row[2]; /* the offsets that lie in the tile, or at its borders */
    const int tile = next_tile(d), t = threadIdx.x;
    const int high = m.n - tile * TILE, low = high < TILE ? 0 : high - TILE;
    float item[ROWS];
    unsigned heads[ROWS];

    for (int p = t; p < TILE; p += THREADS)
        s_head[p] = 0;
    if (t < 2)
        s_row[t] = offsets_up_to(m.d_offset, m.rows + 1, t == 0 ? low - 1 : high);
    __syncthreads();
    /* TODO 9: offsets s_row[0] to s_row[1] - 1: which nonzero of the tile ends a row, and at which
       place is that? */
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        item[r] = high - 1 - place_of(r) >= 0 ? product(m, d_x, high - 1 - place_of(r)) : 0.0f;
    __syncthreads();
    vote_heads(s_head, heads);
    scan_tile_float(d, tile, item, heads);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        s_sum[place_of(r)] = item[r];
    __syncthreads();
    /* TODO 10: the sum of each row that begins in the tile. Which tile has the empty rows at the
       end? */
}

/* A share: the nonzeros low to high - 1, and the ends of rows s_end[0] to s_end[1] - 1. */
__global__ void __launch_bounds__(THREADS)
    multiply_shares(matrix m, const float *d_x, float *d_y, descriptors d)
{
    __shared__ unsigned char s_head[TILE];
    __shared__ float s_sum[TILE];
    __shared__ int s_offset[TILE + 1]; /* from that of the first of these rows on */
    __shared__ int s_end[2];
    const int tile = next_tile(d), t = threadIdx.x;
    const long long all = (long long)m.n + m.rows, first = (long long)tile * TILE;
    const long long last = all - first < TILE ? all : first + TILE;
    float item[ROWS];
    unsigned heads[ROWS];

    for (int p = t; p < TILE; p += THREADS)
        s_head[p] = 0;
    if (t < 2)
        s_end[t] = ends_before(m.d_offset, m.rows, t == 0 ? first : last);
    __syncthreads();
    const int low = (int)(first - s_end[0]), high = (int)(last - s_end[1]);
    const int rows = s_end[1] - s_end[0];
    /* TODO 11: s_offset[0] to s_offset[rows]; and a head behind each end of a row. */
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        item[r] = place_of(r) < high - low ? product(m, d_x, low + place_of(r)) : 0.0f;
    __syncthreads();
    vote_heads(s_head, heads);
    const float before = scan_tile_float(d, tile, item, heads);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        s_sum[place_of(r)] = item[r];
    __syncthreads();
    /* TODO 12: the sum of each row that ends in the share: empty; with a nonzero in it; without. */
}

/* ---- launches and entries -------------------------------------------------------------------- */

#include "launches.h"

/* Tries functions one by one. If you change what they take, leave it out. */
#include "steps.h"
