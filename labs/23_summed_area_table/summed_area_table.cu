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
    /* TODO 1: five shuffles up; then what stands before. Which lane knows the new *before? */
    return value;
}

/* A warp has a row of the table, which becomes the scan of that row of the picture. */
__global__ void __launch_bounds__(THREADS) scan_rows(const unsigned *d_in, sum *d_table, picture p)
{
    const int y = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP, lane = threadIdx.x % WARP;

    /* TODO 2: AHEAD chunks of 32 neighbours at a time: load them all, so that their loads are on
       their way together; then scan and store chunk by chunk. */
}

/* A thread has a column of the table, which becomes the scan of what it was. */
__global__ void __launch_bounds__(THREADS) scan_columns(sum *d_table, picture p)
{
    const int x = (int)(blockIdx.x * THREADS + threadIdx.x);

    /* TODO 3: AHEAD rows at a time: load them all, then add and store one after another. */
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
    /* TODO 4: where does the window begin and end, as far as it is in the picture? Its sum is up to
       its last corner, less what is left of it, less what is above it, and once more ... */
    d_out[i] = 0;
}

/* ---- a table in one launch ------------------------------------------------------------------- */

/* Look-back: d_word[i] is the tile's word of a chain; those before it are `step` apart, and there
   are `words` of them. `own` is the tile's own sum. Returns the sum of all before. */
static __device__ __forceinline__ sum sum_before(word *d_word, int i, int step, int words, sum own)
{
    /* TODO 5: publish, look back, publish, as in lab 10. What does the first word of a chain
       say, and what does it look at? */
    return 0;
}

/* Each row of the tile becomes its inclusive scan. s_left[r]: the sum of row r. */
static __device__ __forceinline__ void sum_rows(sum v[ROWS][HALVES], sum s_left[SIDE])
{
    /* TODO 6, first third: a row is HALVES chunks: scan_chunk, one after the other. */
}

/* Adds s_left[r], what lies left of the tile in row r, to that row; then each column becomes its
   inclusive scan over the warp's rows. above[c]: the sum of these, up to column c. */
static __device__ __forceinline__ void sum_columns(sum v[ROWS][HALVES], const sum s_left[SIDE],
                                                   sum above[SIDE])
{
    /* TODO 6, second third: down the rows of a lane's column, in registers. Rows with what lies
       left of them. */
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
        s_left[i] = 0; /* TODO 7, first half, when TODO 6 is done: if not alone, what lies left:
                          sum_before of which chain, from which word on, and how many words are
                          before it? */
    __syncthreads();
    sum_columns(v, s_left, s_above[i / WARP]);
    __syncthreads();
    if (i < t.columns) { /* and for column i */
        /* TODO 6, last third: column i: the sum over all warps; each warp's s_above becomes what
           lies above its rows. */
        /* TODO 7, second half: if not alone, what lies above the tile: the chain of the column. */
    }
    __syncthreads();
    store_tile(d_table, p, t, v, s_above[i / WARP]);
}

/* ---- entries --------------------------------------------------------------------------------- */

#include "launches.h"

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
