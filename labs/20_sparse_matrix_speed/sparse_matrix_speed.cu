/*
 * Sparse matrix times vector as fast as x can be gathered: persistent blocks take equal shares of
 * nonzeros and ends of rows, and their warps have trades, as in lab 11; few nonzeros are done by a
 * warp a row.
 *
 * Mapping   a block takes share after share by ticket, and the tiles of each in order. MULTIPLIERS
 *           warps fetch nonzeros and x, and mark the last nonzero of each row, ADDERS add up,
 *           WRITERS write the sums, one searches, one loads offsets, one finishes shares; between
 *           them lies a ring of tiles in shared memory, with mbarriers. A thread of the adders owns
 *           EACH products side by side
 * Bytes     12 a nonzero: value, column, x, which is a sector of 32 where columns are random; 8 a
 *           row: its offset and its sum
 * Work      about 2n additions; ranks of rows are never needed: a sum is put where the row's last
 *           nonzero stood, and the writer of the row finds it there. Empty rows cost nothing
 *           special
 * Depth     the row that began before a share waits for what all before it leave open; nothing
 *           else does
 * Source    Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC16
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    places in a ring, mbarriers, words
 *     stages.h                         sizes; what warps exchange; the search and load warps
 *     launches.h                       the finishing warp, the kernel of shares, the entries
 */
#include <cuda_runtime.h>

#include "sparse_matrix_speed.h"
#include "stages.h"

/* ---- a warp a row ---------------------------------------------------------------------------- */

/* The sum of a row's products, or of those of threads `first`, `first + step`, ... */
static __device__ __forceinline__ float sum_of_row(matrix m, const float *d_x, int begin, int end,
                                                   int first, int step)
{
    /* TODO 1: a thread takes ROW_BATCH products at a time, whose loads do not wait for each other;
       then the sum of the warp's lanes, in every lane. */
    (void)m, (void)d_x, (void)begin, (void)end, (void)first, (void)step;
    return 0.0f;
}

/* A warp a row; where a block's rows are too long for that, a block a row. */
__global__ void __launch_bounds__(ROW_THREADS) multiply_rows(matrix m, const float *d_x, float *d_y)
{
    enum { WARPS = ROW_THREADS / WARP };
    __shared__ float s_sum[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const long long first = (long long)blockIdx.x * WARPS,
                    last = first + WARPS < m.rows ? first + WARPS : m.rows, mine = first + warp;

    /* all threads together ask for all nonzeros, before they know which are theirs */
    const long long ahead = ((long long)blockIdx.x * ROW_THREADS + threadIdx.x) * LINE;
    if (ahead < m.n) {
        bring_to_l2(m.d_value + ahead);
        bring_to_l2(m.d_column + ahead);
    }
    if (m.d_offset[last] - m.d_offset[first] <= LONG_ROWS) {
        if (mine < last) {
            const float sum =
                sum_of_row(m, d_x, m.d_offset[mine], m.d_offset[mine + 1], lane, WARP);
            if (lane == 0)
                d_y[mine] = sum;
        }
        return;
    }
    for (long long row = first; row < last; row++) {
        const float sum =
            sum_of_row(m, d_x, m.d_offset[row], m.d_offset[row + 1], threadIdx.x, ROW_THREADS);
        if (lane == 0)
            s_sum[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            float all = 0.0f;
            for (int w = 0; w < WARPS; w++)
                all += s_sum[w];
            d_y[row] = all;
        }
        __syncthreads(); /* the next row's sums come there */
    }
}

/* ---- equal shares ---------------------------------------------------------------------------- */

#if BULK_COPIES

/* The multipliers: products to the stage, and a byte for each nonzero with which a row ends. Empty
   rows have none, and that of the tile's first end may lie in the tile before. */
static __device__ __forceinline__ void multiply_tiles(matrix m, const float *d_x, spmv_ring *s,
                                                      unsigned char *s_data)
{
    /* TODO 2: wait for tile after tile. Lanes take nonzeros side by side, BATCH rows of 32 at a
       time: all columns and values are on their way before the first is needed, then all x; their
       products go to the stage. Mark the last nonzero of each row that ends in the tile, if the row
       has any and it lies here; arrive at multiplied. */
    (void)m, (void)d_x, (void)s, (void)s_data;
}

/* The adders: put the sum of each row that ends in the tile in place of its last product. */
static __device__ __forceinline__ void add_tiles(descriptors d, spmv_ring *s, unsigned char *s_data)
{
    /* TODO 3: wait for tile after tile, and note the open sum before each; before a share's first
       it is 0. Take EACH items of it, and their marks, which are cleared for the next tile; the
       open sum after the last mark goes through a segmented scan of the lanes, then to s->open;
       arrive at counted. With open_sums: the open sums before and after the tile. With
       the share's last tile, publish that, and whether a row ends in the share. Sums to the marked
       places; arrive at summed. */
    (void)d, (void)s, (void)s_data;
}

/* The writers: each row that ends in the tile finds its sum where its last nonzero stood. */
static __device__ __forceinline__ void write_tiles(float *d_y, spmv_ring *s, unsigned char *s_data)
{
    /* TODO 4: when a tile is summed, each row that ends in it finds its sum: of an empty row 0, of
       one whose last nonzero lies in the tile before what was open before the tile. One that began
       before the share is not done yet: its row and sum go to the share's slot. Then the warp
       empties the stage. */
    open_slot(s, 0);
    close_slot(s, 0, NO_SHARE);
    (void)d_y, (void)s_data;
}

/* The sum that the shares before `share` leave open. A whole warp calls it. */
static __device__ __forceinline__ float open_before(descriptors d, unsigned share)
{
    /* TODO 5: add up what `look` sees, LOOKS * 32 shares at a time, back to the nearest in which a
       row ends. */
    (void)d, (void)share;
    return 0.0f;
}

#endif

#include "launches.h"
