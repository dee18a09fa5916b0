// expect: PASS | rows that cross shares are summed by atomics, all others are stored
/*
 * A sparse matrix times a vector, by a segmented scan of the products.
 *
 * Mapping   a block of 256 threads has a tile of 2048 nonzeros, or of nonzeros and ends of rows;
 *           warp w owns places 256 w to 256 w + 255 of it, in 8 rows of 32
 * Bytes     12 a nonzero, of which 4 gather x, and 8 a row
 * Work      one segmented scan
 * Source    Sengupta, Harris, Zhang and Owens, Graphics Hardware 2007; Merrill and Garland, SC16
 *
 * Given: matrix.h, the matrix, the searches in its offsets, and the segmented scan of lab 16;
 * launches.h.
 */
#include <cuda_runtime.h>

#include "matrix.h"
#include "sparse_matrix.h"

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
