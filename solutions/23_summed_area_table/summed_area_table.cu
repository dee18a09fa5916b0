/*
 * Summed-area table: in two passes, and in one launch by look-back to the left and up.
 *
 * Mapping   two passes: a warp a row, a thread a column. One launch: a block has a tile of 64 rows
 *           and columns; a warp owns 8 rows of it
 * Bytes     of n pixels of 4 bytes and sums of 8: two passes 28 n, 4 n numbers; one launch 12 n,
 *           and two words of 8 bytes or more for each row and column of each tile
 * Work      5 additions a pixel in rows, 1 in columns
 * Source    Hadwiger, "GPU and GPGPU Programming", lecture 18; Crow, "Summed-Area Tables for
 *           Texture Mapping", SIGGRAPH 1984; Merrill and Garland, NVR-2016-002, for look-back
 *
 * Given: picture.h, pictures and tiles; chains.h, what tiles publish; launches.h, entries;
 * steps.h, how the parts are tried.
 */
#include <cuda_runtime.h>

#include "chains.h"
#include "picture.h"
#include "summed_area_table.h"

/* ---- a table in two passes ------------------------------------------------------------------- */

/* Inclusive scan of the warp's 32 values, and *before in front of them. *before becomes the sum of
   it all, in all lanes. */
static __device__ __forceinline__ sum scan_chunk(sum value, sum *before)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const sum left = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance)
            value += left;
    }
    value += *before;
    *before = __shfl_sync(ALL_LANES, value, WARP - 1);
    return value;
}

/* A warp has a row of the table, which becomes the scan of that row of the picture. */
__global__ void __launch_bounds__(THREADS) scan_rows(const unsigned *d_in, sum *d_table, picture p)
{
    const int y = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP, lane = threadIdx.x % WARP;
    sum before = 0;

    if (y >= p.rows) /* the whole warp */
        return;
    for (int first = 0; first < p.columns; first += AHEAD * WARP) {
        sum v[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) { /* all loads are on their way before one is waited for */
            const int x = first + k * WARP + lane;
            v[k] = x < p.columns ? d_in[at(p, x, y)] : 0;
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const int x = first + k * WARP + lane;
            if (first + k * WARP < p.columns)
                v[k] = scan_chunk(v[k], &before);
            if (x < p.columns)
                d_table[at(p, x, y)] = v[k];
        }
    }
}

/* A thread has a column of the table, which becomes the scan of what it was. */
__global__ void __launch_bounds__(THREADS) scan_columns(sum *d_table, picture p)
{
    const int x = (int)(blockIdx.x * THREADS + threadIdx.x);
    sum above = 0;

    for (int first = 0; x < p.columns && first < p.rows; first += AHEAD) {
        sum v[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            v[k] = first + k < p.rows ? d_table[at(p, x, first + k)] : 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (first + k < p.rows) {
                above += v[k];
                d_table[at(p, x, first + k)] = above;
            }
    }
}

/* ---- what a table is for --------------------------------------------------------------------- */

/* Of all pixels up to column x and row y; before the first column, or the first row, are none. */
static __device__ __forceinline__ sum sum_up_to(const sum *d_table, picture p, int x, int y)
{
    return x < 0 || y < 0 ? 0 : d_table[at(p, x, y)];
}

/* A thread has a pixel, which becomes the mean of its window, rounded down. */
__global__ void __launch_bounds__(THREADS)
    filter(const sum *d_table, unsigned *d_out, picture p, int n, int radius)
{
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);

    if (i >= n)
        return;
    const int x = i % p.columns, y = i / p.columns;
    const int left = x > radius ? x - radius : 0, above = y > radius ? y - radius : 0;
    const int right = x + radius < p.columns ? x + radius : p.columns - 1,
              below = y + radius < p.rows ? y + radius : p.rows - 1;
    const sum all = sum_up_to(d_table, p, right, below) - sum_up_to(d_table, p, left - 1, below) -
                    sum_up_to(d_table, p, right, above - 1) +
                    sum_up_to(d_table, p, left - 1, above - 1);

    d_out[i] = (unsigned)(all / ((sum)(right - left + 1) * (below - above + 1)));
}

/* ---- a table in one launch ------------------------------------------------------------------- */

/* Look-back: d_word[i] is the tile's word of a chain; those before it are `step` apart, and there
   are `words` of them. `own` is the tile's own sum. Returns the sum of all before. */
static __device__ __forceinline__ sum sum_before(word *d_word, int i, int step, int words, sum own)
{
    status seen = INVALID;
    sum before = 0;

    if (words > 0)
        publish(&d_word[i], AGGREGATE, own);
    for (int back = 1; back <= words && seen != PREFIX; back++) {
        sum value;
        do
            seen = inspect(&d_word[i - back * step], &value);
        while (seen == INVALID);
        before += value;
    }
    publish(&d_word[i], PREFIX, before + own);
    return before;
}

/* Each row of the tile becomes its inclusive scan. s_left[r]: the sum of row r. */
static __device__ __forceinline__ void sum_rows(sum v[ROWS][HALVES], sum s_left[SIDE])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        sum before = 0;
#pragma unroll
        for (int half = 0; half < HALVES; half++)
            v[row][half] = scan_chunk(v[row][half], &before);
        if (threadIdx.x % WARP == 0)
            s_left[row_of(row)] = before;
    }
}

/* Adds s_left[r], what lies left of the tile in row r, to that row; then each column becomes its
   inclusive scan over the warp's rows. above[c]: the sum of these, up to column c. */
static __device__ __forceinline__ void sum_columns(sum v[ROWS][HALVES], const sum s_left[SIDE],
                                                   sum above[SIDE])
{
#pragma unroll
    for (int half = 0; half < HALVES; half++) {
        sum all = 0;
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            all += s_left[row_of(row)] + v[row][half];
            v[row][half] = all;
        }
        above[column_of(half)] = all;
    }
}

/* A block has a tile. alone: as if there were no other one. */
__global__ void __launch_bounds__(THREADS)
    sum_tiles(const unsigned *d_in, sum *d_table, picture p, chains c, bool alone)
{
    __shared__ sum s_left[SIDE];         /* of each row: its sum, then what lies left of it */
    __shared__ sum s_above[WARPS][SIDE]; /* of each warp and column: the same of what lies above */
    const tile t = tile_of(p, alone ? (int)blockIdx.x : take_tile(c));
    const int i = threadIdx.x;
    sum v[ROWS][HALVES];

    load_tile(d_in, p, t, v);
    sum_rows(v, s_left);
    __syncthreads();
    if (i < t.rows) /* thread i cares for row i */
        s_left[i] =
            alone ? 0
                  : sum_before(c.d_left, t.column * p.rows + t.y + i, p.rows, t.column, s_left[i]);
    __syncthreads();
    sum_columns(v, s_left, s_above[i / WARP]);
    __syncthreads();
    if (i < t.columns) { /* and for column i */
        sum own = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            own += s_above[w][i];
        sum above =
            alone ? 0 : sum_before(c.d_above, t.row * p.columns + t.x + i, p.columns, t.row, own);
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            const sum of_warp = s_above[w][i];
            s_above[w][i] = above;
            above += of_warp;
        }
    }
    __syncthreads();
    store_tile(d_table, p, t, v, s_above[i / WARP]);
}

/* ---- entries --------------------------------------------------------------------------------- */

#include "launches.h"

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
