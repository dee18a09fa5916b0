/*
 * Histograms, and summed-area tables in one launch, at the speed of memory.
 *
 * Mapping   a histogram: each lane of a warp counts in a copy of its own, in a bank of its own. A
 *           table: a block has a tile of 128 columns; a warp has 16 rows of it in registers, a lane
 *           four neighbours of each row
 * Bytes     a histogram reads n pixels; a table reads n pixels and writes 4n, and words of 8 bytes:
 *           one for each row and column of each tile, told twice and looked at once or more
 * Work      a histogram: one shared atomic a pixel. A table of pixels of 8 bits: two rows are
 *           scanned in one register, 16 bits each
 * Source    Merrill and Garland, NVR-2016-002, for look-back
 *
 * Given: strips.h, tiles in registers; words.h, what tiles tell each other; launches.h, kernels and
 * entries.
 */
#include <cuda_runtime.h>

#include "histogram_sat_speed.h"
#include "strips.h"
#include "words.h"

/* ---- histograms ------------------------------------------------------------------------------ */

/* s_count has 32 copies of each bin, side by side: lane l counts in copy l, which lies in bank l,
   so that neither bins nor banks are shared inside a warp. from: 128 times the bin, in bytes. */
static __device__ __forceinline__ void count_at(unsigned *s_count, unsigned from)
{
    /* TODO 1: 1 more in the copy of this lane: its counters lie 4 bytes times the lane behind those
       of copy 0. Then count_word. */
    (void)s_count, (void)from;
}

static __device__ __forceinline__ void count(unsigned *s_count, unsigned bin)
{
    count_at(s_count, bin * WARP * 4);
}

/* A shift and a mask make 128 times the bin. bytes: four pixels; else one, of which the upper 8
   bits count. */
static __device__ __forceinline__ void count_word(unsigned *s_count, unsigned pixels, bool bytes)
{
    /* TODO 1: shift and mask the pixels' bins, and count them by count_at. */
    (void)s_count, (void)pixels, (void)bytes;
}

/* The block's share of the vectors. vector: the thread's first AHEAD, which have been loaded; the
   next ones are on their way while these are counted. */
static __device__ __forceinline__ void count_all(unsigned *s_count, const uint4 *d_in, int vectors,
                                                 int i, uint4 vector[AHEAD], bool bytes)
{
    /* TODO 2: count the four words of each vector that is there, i + k * step for k below AHEAD; on
       with the next AHEAD, loaded before these are counted. */
    (void)s_count, (void)d_in, (void)vectors, (void)i, (void)vector, (void)bytes;
}

/* Adds the 32 copies of each bin up, and that to d_count. Four threads a bin, eight copies each; in
   a warp's round all 32 banks are read. */
static __device__ __forceinline__ void add_copies(const unsigned *s_count, unsigned *d_count)
{
    /* TODO 3: a bin's 32 copies come to its count. No two lanes should read one bank at a time. */
    (void)s_count, (void)d_count;
}

/* ---- rows of a strip ------------------------------------------------------------------------- */

/* Scans each row, and returns what the strip has of row lane % ROWS. s_row: room for that. */
static __device__ __forceinline__ unsigned scan_rows_u8(strip_u8 *v, unsigned s_row[ROWS])
{
    /* TODO 4: two rows a register: the sums of four bytes, by __dp4a, then scan_lanes; `before` is
       that without the lane's own. The last lane has what the rows come to. */
#pragma unroll
    for (int k = 0; k < ROWS / 2; k++)
        v->before[k] = 0;
    (void)s_row;
    return 0;
}

static __device__ __forceinline__ unsigned scan_rows_s32(strip_s32 *v, unsigned s_row[ROWS])
{
    /* TODO 5: the lane's four, then the lanes. */
    (void)v, (void)s_row;
    return 0;
}

/* The lane's four sums of row r, `left` of which lies left of the tile. */
static __device__ __forceinline__ uint4 values_u8(const strip_u8 *v, int r, unsigned left)
{
    /* TODO 4: __dp4a with 1, 0x0101 and so on, from what lies left and before the lane. */
    (void)v, (void)r;
    return four_of(left);
}

static __device__ __forceinline__ uint4 values_s32(const strip_s32 *v, int r, unsigned left)
{
    /* TODO 5: what lies left is added to all four. */
    (void)v, (void)r;
    return four_of(left);
}

/* The sums of all rows, without what lies left of the tile. */
static __device__ __forceinline__ uint4 columns_of_u8(const strip_u8 *v)
{
    /* TODO 4: bytes 0 and 2 of all rows in one register, 1 and 3 in another, 16 bits each; what
       lies before the lane is added to all four columns. */
    (void)v;
    return four_of(0);
}

static __device__ __forceinline__ uint4 columns_of_s32(const strip_s32 *v)
{
    /* TODO 5: the sums of all rows. */
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
    /* TODO 6: look at the nearest FIRST_LOOKS words until they are told; add them up, the nearest
       first, to the first that tells the sum of all. Unless there is one, go on with the next
       LOOKS, and so on. The first word of all always tells that. */
    (void)c, (void)d_word, (void)step, (void)words;
    return 0;
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"
