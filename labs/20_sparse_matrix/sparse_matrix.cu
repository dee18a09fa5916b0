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
    return m.d_value[i]; /* TODO 1 */
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
    /* TODO 2: offsets s_row[0] to s_row[1] - 1: which nonzero of the tile ends a row, and at which
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
    /* TODO 3: the sum of each row that begins in the tile. Which tile has the empty rows at the
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
    /* TODO 4: s_offset[0] to s_offset[rows]; and a head after each end of a row. */
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
    /* TODO 5: the sum of each row that ends in the share: empty; with a nonzero in it; without. */
}

/* ---- launches and entries -------------------------------------------------------------------- */

#include "launches.h"
