// expect: PASS | rows that cross shares are summed by atomics, all others are stored
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
    int item[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        item[r] = is_head(k->heads[r]) ? index_of(tile, r) : 0;
    scan_tile_int(of_scan(d, 0), tile, item, k->heads);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        k->start[r] = item[r];
        k->pivot[r] = index_of(tile, r) < l.n ? l.d_in[item[r]] : 0.0f;
    }
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
        if (i + 1 == l.n || l.d_head[i + 1] != 0) {
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
    const way go = way_of(l.d_rank[i]);
    int to = start + rank;
    if (go != LESS)
        to += l.d_less[start];
    if (go == GREATER)
        to += l.d_equal[start];
    l.d_out[to] = l.d_in[i];
    l.d_new_head[to] = rank == 0;
}

/* ---- to the end ------------------------------------------------------------------------------ */

/* Keys in an order that has nothing to do with theirs, so that the first of a segment is any of
   them; and heads of a single segment. */
__global__ void __launch_bounds__(THREADS)
    begin_sort(const float *d_in, float *d_out, int *d_head, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        d_out[n > 1 ? shuffled(i, n) : i] = d_in[i];
        d_head[i] = i == 0;
    }
}

void quicksort_sort(const float *d_in, float *d_out, int n)
{
    level l;

    if (n <= 0 || !open_level(n, &l))
        return;
    begin_sort<<<blocks_of(n, THREADS), THREADS>>>(d_in, d_out, l.d_heads[0], n);
    float *d_from = d_out, *d_to = l.d_keys;
    int turn = 0, again = 1;
    while (again) {
        l.d_in = d_from;
        l.d_head = l.d_heads[turn];
        l.d_out = d_to;
        l.d_new_head = l.d_heads[1 - turn];
        cudaMemsetAsync(l.d_again, 0, sizeof *l.d_again);
        if (!launch_ranks(l))
            return;
        if (cudaMemcpy(&again, l.d_again, sizeof again, cudaMemcpyDeviceToHost) != cudaSuccess)
            return;
        if (!again)
            break;
        launch_moves(l);
        float *d_swap = d_from;
        d_from = d_to;
        d_to = d_swap;
        turn = 1 - turn;
    }
    if (d_from != d_out)
        cudaMemcpyAsync(d_out, d_from, n * sizeof *d_out, cudaMemcpyDeviceToDevice);
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
    for (int k = s_row[0] + t; k < s_row[1]; k += THREADS) {
        const int end = m.d_offset[k];
        if (end > low && end <= high)
            s_head[high - end] = 1;
    }
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
    for (int k = s_row[0] + t; k < s_row[1]; k += THREADS) {
        if (k >= m.rows)
            continue;
        const int begin = m.d_offset[k], end = m.d_offset[k + 1];
        if (begin == end && (begin < high || high == m.n))
            d_y[k] = 0.0f;
        else if (begin < end && begin < high)
            d_y[k] = s_sum[high - 1 - begin];
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
    for (int e = t; e <= rows; e += THREADS)
        s_offset[e] = m.d_offset[s_end[0] + e];
    __syncthreads();
    for (int e = t; e < rows; e += THREADS) {
        const int behind = s_offset[e + 1] - low;
        if (behind >= 0 && behind < TILE && (e + 1 == rows || s_offset[e + 2] - low != behind))
            s_head[behind] = 1;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        item[r] = place_of(r) < high - low ? product(m, d_x, low + place_of(r)) : 0.0f;
    __syncthreads();
    vote_heads(s_head, heads);
    __shared__ float s_open[WARPS];
    __shared__ bool s_any[WARPS];
    bool any;
    const int warp = t / WARP, lane = t % WARP;
    const float open = scan_rows_float(item, heads, &any);
    if (lane == 0) {
        s_open[warp] = open;
        s_any[warp] = any;
    }
    __syncthreads();
    float before = 0.0f;
    for (int w = 0; w < warp; w++)
        before = s_any[w] ? s_open[w] : before + s_open[w];
    bool in_front = true;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (in_front && segment_start(heads[r], lane) < 0)
            item[r] += before;
        in_front = in_front && heads[r] == 0;
        s_sum[place_of(r)] = item[r];
    }
    __syncthreads();
    for (int e = t; e < rows; e += THREADS) {
        const int from = s_offset[e], to = s_offset[e + 1];
        if (from == to)
            d_y[s_end[0] + e] = 0.0f;
        else if (to <= low)
            continue; /* nothing of it in this share */
        else if (from >= low)
            d_y[s_end[0] + e] = s_sum[to - 1 - low];
        else
            atomicAdd(&d_y[s_end[0] + e], s_sum[to - 1 - low]);
    }
    /* the row that goes on in the next share */
    if (t == 0 && high > low && high > s_offset[rows])
        atomicAdd(&d_y[s_end[0] + rows], s_sum[high - low - 1]);
}

/* ---- launches and entries -------------------------------------------------------------------- */

#define spmv_shares spmv_shares_given
#include "launches.h"
#undef spmv_shares
extern "C" void spmv_shares(const float *d_value, const int *d_column, const int *d_offset,
                            const float *d_x,
                 float *d_y, int n)
{
    const matrix m = { d_value, d_column, d_offset, spmv_rows(n), n };
    descriptors d;

    if (n > 0 && open_descriptors((int)(((long long)n + m.rows - 1) / TILE + 1), &d)) {
        cudaMemsetAsync(d_y, 0, m.rows * sizeof *d_y);
        multiply_shares<<<d.tiles, THREADS>>>(m, d_x, d_y, d);
    }
}

/* Tries functions one by one. If you change what they take, leave it out. */
#include "steps.h"
