/*
 * Quicksort of all segments at once, and sparse matrix times vector: by segmented scans.
 *
 * Mapping   a block of 256 threads has a tile of 2048 elements; warp w owns elements 256 w to
 *           256 w + 255 of it, in 8 rows of 32
 * Levels    of random keys about 2.4 log2 n, whatever their order was; of equal keys 1
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

/* ---- sparse matrix times vector -------------------------------------------------------------- */

typedef struct matrix {
    const float *d_value;
    const int *d_column, *d_offset;
    int rows, n; /* nonzeros */
} matrix;

static __device__ __forceinline__ float product(matrix m, const float *d_x, int i)
{
    return m.d_value[i] * d_x[m.d_column[i]];
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
    /* what stands before an offset ends a row; of empty rows several mark the same place */
    for (int r = s_row[0] + t; r < s_row[1]; r += THREADS)
        if (m.d_offset[r] > low)
            s_head[high - m.d_offset[r]] = 1;
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
    /* rows that begin in the tile; behind the last nonzero only empty ones do */
    for (int r = s_row[0] + t; r < s_row[1] && r < m.rows; r += THREADS) {
        const int begin = m.d_offset[r];
        if (begin < high || high == m.n)
            d_y[r] = m.d_offset[r + 1] > begin ? s_sum[high - 1 - begin] : 0.0f;
    }
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
    for (int k = t; k <= rows; k += THREADS) {
        s_offset[k] = m.d_offset[s_end[0] + k];
        /* behind an end begins the next row; there is room, since an end takes a place */
        if (k > 0)
            s_head[s_offset[k] - low] = 1;
    }
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
    for (int k = t; k < rows; k += THREADS) {
        const int begin = s_offset[k], end = s_offset[k + 1];
        /* a row whose last nonzero lies in an earlier share is complete with what was open */
        d_y[s_end[0] + k] = begin == end ? 0.0f : end > low ? s_sum[end - 1 - low] : before;
    }
}

/* ---- launches and entries -------------------------------------------------------------------- */

#include "launches.h"

/* Tries functions one by one. If you change what they take, leave it out. */
#include "steps.h"
