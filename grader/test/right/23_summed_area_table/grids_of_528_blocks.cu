// expect: PASS | grids of at most 528 blocks, with loops over rows and pixels
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

    if (lane == 0)
        value += *before; /* in front of the first: then it reaches all */
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const sum left = __shfl_up_sync(ALL_LANES, value, distance);
        value += lane >= distance ? left : 0;
    }
    *before = __shfl_sync(ALL_LANES, value, WARP - 1);
    return value;
}

/* A warp has a row of the table, which becomes the scan of that row of the picture. */
__global__ void __launch_bounds__(THREADS) scan_rows(const unsigned *d_in, sum *d_table, picture p)
{
    const int lane = threadIdx.x % WARP;
    int y = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP;

  for (; y < p.rows; y += (int)gridDim.x * WARPS) { /* whole warps */
    const unsigned *d_row = d_in + at(p, 0, y);
    sum *d_sums = d_table + at(p, 0, y), before = 0;
    for (int x = lane; x - lane < p.columns; x += AHEAD * WARP) {
        unsigned pixel[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            pixel[k] = x < p.columns - k * WARP ? d_row[x + k * WARP] : 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (x - lane >= p.columns - k * WARP)
                break;
            const sum value = scan_chunk(pixel[k], &before);
            if (x < p.columns - k * WARP)
                d_sums[x + k * WARP] = value;
        }
    }
  }
}

/* A thread has a column of the table, which becomes the scan of what it was. */
__global__ void __launch_bounds__(THREADS) scan_columns(sum *d_table, picture p)
{
    const int x = (int)(blockIdx.x * THREADS + threadIdx.x);

    if (x >= p.columns)
        return;
    sum total = 0;
    int y = 0;
    for (; y + AHEAD <= p.rows; y += AHEAD) {
        sum own[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            own[k] = d_table[at(p, x, y + k)];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            d_table[at(p, x, y + k)] = total += own[k];
    }
    for (; y < p.rows; y++)
        d_table[at(p, x, y)] = total += d_table[at(p, x, y)];
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
  /* blocks of a limited grid, each with pixel after pixel */
  for (int i = (int)(blockIdx.x * THREADS + threadIdx.x); i < n; i += (int)(gridDim.x * THREADS)) {
    const int x = i % p.columns, y = i / p.columns;
    const int left = max(x - radius, 0), right = min(x + radius, p.columns - 1);
    const int top = max(y - radius, 0), bottom = min(y + radius, p.rows - 1);
    const sum number = (sum)(right - left + 1) * (bottom - top + 1);
    const sum strip =
        sum_up_to(d_table, p, right, bottom) - sum_up_to(d_table, p, left - 1, bottom);
    const sum over =
        sum_up_to(d_table, p, right, top - 1) - sum_up_to(d_table, p, left - 1, top - 1);

    d_out[i] = (unsigned)((strip - over) / number);
  }
}

/* ---- a table in one launch ------------------------------------------------------------------- */

/* Look-back: d_word[i] is the tile's word of a chain; those before it are `step` apart, and there
   are `words` of them. `own` is the tile's own sum. Returns the sum of all before. */
static __device__ __forceinline__ sum sum_before(word *d_word, int i, int step, int words, sum own)
{
    sum before = 0;

    if (words > 0) {
        publish(d_word + i, AGGREGATE, own);
        status seen = INVALID;
        for (int j = i - step; seen != PREFIX; j -= step) {
            sum value;
            while ((seen = inspect(d_word + j, &value)) == INVALID)
                ;
            before += value;
        }
    }
    publish(d_word + i, PREFIX, before + own);
    return before;
}

/* Each row of the tile becomes its inclusive scan. s_left[r]: the sum of row r. */
static __device__ __forceinline__ void sum_rows(sum v[ROWS][HALVES], sum s_left[SIDE])
{
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        sum total = 0;
#pragma unroll
        for (int half = 0; half < HALVES; half++)
            v[row][half] = scan_chunk(v[row][half], &total);
        if (threadIdx.x % WARP == row) /* all lanes know it; another one each time */
            s_left[row_of(row)] = total;
    }
}

/* Adds s_left[r], what lies left of the tile in row r, to that row; then each column becomes its
   inclusive scan over the warp's rows. above[c]: the sum of these, up to column c. */
static __device__ __forceinline__ void sum_columns(sum v[ROWS][HALVES], const sum s_left[SIDE],
                                                   sum above[SIDE])
{
    sum down[HALVES] = {};

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const sum left = s_left[row_of(row)];
#pragma unroll
        for (int half = 0; half < HALVES; half++) {
            down[half] += v[row][half] + left;
            v[row][half] = down[half];
        }
    }
#pragma unroll
    for (int half = 0; half < HALVES; half++)
        above[column_of(half)] = down[half];
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
    if (i < t.rows)    /* thread i cares for row i */
        s_left[i] = alone ? 0
                          : sum_before(c.d_left, t.column * p.rows + t.y + i, p.rows, t.column,
                                       s_left[i]);
    __syncthreads();
    sum_columns(v, s_left, s_above[i / WARP]);
    __syncthreads();
    if (i < t.columns) { /* and for column i */
        sum total = 0;
        for (int w = 0; w < WARPS; w++)
            total += s_above[w][i];
        sum above = alone ? 0
                          : sum_before(c.d_above, t.row * p.columns + t.x + i, p.columns, t.row,
                                       total);
        for (int w = 0; w < WARPS; w++) {
            const sum own = s_above[w][i];
            s_above[w][i] = above;
            above += own;
        }
    }
    __syncthreads();
    store_tile(d_table, p, t, v, s_above[i / WARP]);
}

/* ---- entries --------------------------------------------------------------------------------- */

static int at_most_528(int blocks) { return blocks < 528 ? blocks : 528; }

void sat_two_passes(const unsigned *d_in, long long *d_table, int n)
{
    if (n <= 0)
        return;
    const picture p = picture_of(n);
    scan_rows<<<at_most_528(parts_of(p.rows, WARPS)), THREADS>>>(d_in, d_table, p);
    scan_columns<<<parts_of(p.columns, THREADS), THREADS>>>(d_table, p);
}

void sat_box(const long long *d_table, unsigned *d_out, int n)
{
    if (n > 0)
        filter<<<at_most_528(parts_of(n, THREADS)), THREADS>>>(d_table, d_out, picture_of(n), n,
                                                               sat_radius(n));
}

void sat_one_launch(const unsigned *d_in, long long *d_table, int n)
{
    chains c;

    if (n <= 0)
        return;
    const picture p = picture_of(n);
    if (open_chains((size_t)p.across * p.rows, (size_t)p.down * p.columns, &c))
        sum_tiles<<<p.across * p.down, THREADS>>>(d_in, d_table, p, c, false);
}

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
