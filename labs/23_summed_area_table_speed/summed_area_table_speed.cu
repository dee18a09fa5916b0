/*
 * Summed-area tables in one launch, at the speed of memory.
 *
 * Mapping   a block has a tile of 128 columns; a warp has 16 rows of it in registers, a lane four
 *           neighbours of each row
 * Bytes     n pixels are read and 4n written, and words of 8 bytes: one for each row and column of
 *           each tile, published twice and looked at once or more
 * Work      of pixels of 8 bits two rows are scanned in one register, 16 bits each
 * Source    Merrill and Garland, NVR-2016-002, for look-back
 *
 * Given: strips.h, tiles in registers; words.h, what tiles publish; launches.h, kernels and
 * entries.
 */
#include <cuda_runtime.h>

#include "strips.h"
#include "summed_area_table_speed.h"
#include "words.h"

/* ---- rows of a strip ------------------------------------------------------------------------- */

/* Scans each row, and returns what the strip has of row lane % ROWS. s_row: room for that. */
static __device__ __forceinline__ unsigned scan_rows_u8(strip_u8 *v, unsigned s_row[ROWS])
{
    /* TODO 1: two rows a register: the sums of four bytes, by __dp4a, then scan_lanes; `before` is
       that without the lane's own. The last lane has what the rows come to. */
#pragma unroll
    for (int k = 0; k < ROWS / 2; k++)
        v->before[k] = 0;
    (void)s_row;
    return 0;
}

static __device__ __forceinline__ unsigned scan_rows_s32(strip_s32 *v, unsigned s_row[ROWS])
{
    /* TODO 2: the lane's four, then the lanes. */
    (void)v, (void)s_row;
    return 0;
}

/* The lane's four sums of row r, `left` of which lies left of the tile. */
static __device__ __forceinline__ uint4 values_u8(const strip_u8 *v, int r, unsigned left)
{
    /* TODO 1: __dp4a with 1, 0x0101 and so on, from what lies left and before the lane. */
    (void)v, (void)r;
    return four_of(left);
}

static __device__ __forceinline__ uint4 values_s32(const strip_s32 *v, int r, unsigned left)
{
    /* TODO 2: what lies left is added to all four. */
    (void)v, (void)r;
    return four_of(left);
}

/* The sums of all rows, without what lies left of the tile. */
static __device__ __forceinline__ uint4 columns_of_u8(const strip_u8 *v)
{
    /* TODO 1: bytes 0 and 2 of all rows in one register, 1 and 3 in another, 16 bits each; what
       lies before the lane is added to all four columns. */
    (void)v;
    return four_of(0);
}

static __device__ __forceinline__ uint4 columns_of_s32(const strip_s32 *v)
{
    /* TODO 2: the sums of all rows. */
    (void)v;
    return four_of(0);
}

/* ---- look-back, in both directions ----------------------------------------------------------- */

/* For one thread, which cares for one row or column. d_word: the tile's word of it; the words
   before it are `step` apart, and there are `words` of them. Returns the sum of all before the
   tile. */
static __device__ __forceinline__ unsigned look_back(chains c, const word *d_word, size_t step,
                                                     int words)
{
    /* TODO 3: look at the nearest FIRST_LOOKS words until they are published; add them up, the
       nearest first, to the first that has the sum of all. Unless there is one, go on with the next
       LOOKS, and so on. The first word of all always has that. */
    (void)c, (void)d_word, (void)step, (void)words;
    return 0;
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"
