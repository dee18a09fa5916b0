/*
 * launches.h: the kernels of summed_area_table_speed.cu, and the entries of
 * summed_area_table_speed.h. For inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "one_hop.h"
#include "strips.h"
#include "words.h"

/* The strip's table: its sums, what lies left of each row, and what lies above. sum: that, of the
   lane's four columns. */
#define DEFINE_STORE_ROWS(kind)                                                                    \
    static __device__ __forceinline__ void store_rows_##kind(                                      \
        const strip_##kind *v, unsigned *d_table, picture p, corner at, unsigned left, uint4 sum,  \
        uint4 s_four[WARP])                                                                        \
    {                                                                                              \
        unsigned *d_row = d_table + (size_t)at.y * p.columns + at.x;                               \
        if (at.whole)                                                                              \
            _Pragma("unroll") for (int r = 0; r < ROWS; r++, d_row += p.columns)                   \
            {                                                                                      \
                add_to(&sum, values_##kind(v, r, __shfl_sync(ALL_LANES, left, r)));                \
                store_four(d_row, sum);                                                            \
            }                                                                                      \
        else                                                                                       \
            _Pragma("unroll") for (int r = 0; r < ROWS; r++, d_row += p.columns)                   \
            {                                                                                      \
                add_to(&sum, values_##kind(v, r, __shfl_sync(ALL_LANES, left, r)));                \
                store_row(d_row, p, at, r, sum, s_four);                                           \
            }                                                                                      \
    }
DEFINE_STORE_ROWS(u8)
DEFINE_STORE_ROWS(s32)

DEFINE_SMALL_TABLE(u8, unsigned char, unsigned)
DEFINE_SMALL_TABLE(s32, int, int)

/* Of one row or column, for one thread: looks back, and publishes the sum of all up to the tile.
   words: of the tiles before; last: nobody looks at the tile's own. */
static __device__ __forceinline__ unsigned sum_before(chains c, word *d_word, size_t step,
                                                      int words, bool last, unsigned own)
{
    const unsigned before = look_back(c, d_word, step, words);

    if (words > 0 && !last)
        publish(c, d_word, true, before + own);
    return before;
}

/* What lies above the tile in column threadIdx.x, one of COLUMNS. */
static __device__ __forceinline__ unsigned look_up(chains c, picture p, tile t,
                                                   const uint4 s_column[][WARP],
                                                   const unsigned *s_left, int warps)
{
    const int x = t.column * COLUMNS + threadIdx.x;
    const bool last = t.row == p.down - 1;
    word *d_word = &c.d_above[(size_t)t.row * c.width + x];
    unsigned own = 0;

    if (x >= p.columns)
        return 0;
#pragma unroll
    for (int w = 0; w < warps; w++)
        own += ((const unsigned *)s_column[w])[threadIdx.x] + s_left[w];
    if (!last)
        publish(c, d_word, t.row == 0, own);
    return sum_before(c, d_word, c.width, t.row, last, own);
}

/* A block has a tile; its shared memory says what its warps' strips come to. */
#define DEFINE_TABLE(kind, type, sum_type, warps)                                                  \
    __global__ void __launch_bounds__(warps *WARP, TABLE_BLOCKS)                                   \
        sum_tiles_##kind(const type *d_in, sum_type *d_table, picture p, chains c)                 \
    {                                                                                              \
        __shared__ uint4 s_column[warps][WARP], s_above[WARP];                                     \
        __shared__ unsigned s_row[warps][ROWS], s_left[warps];                                     \
        __shared__ tile s_tile;                                                                    \
        const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;                            \
        unsigned left = 0;                                                                         \
        strip_##kind v;                                                                            \
        ask_for_##kind(d_in, p, warps);                                                            \
        if (threadIdx.x == 0)                                                                      \
            s_tile = take_tile(p, c);                                                              \
        __syncthreads();                                                                           \
        const tile t = s_tile;                                                                     \
        const corner at = corner_of(p, t, warps);                                                  \
        const bool last = t.column == p.across - 1,                                                \
                   is_row = lane < ROWS && at.y + lane < p.rows; /* lane r cares for row r */      \
        word *d_left = &c.d_left[(size_t)t.column * c.height + at.y + lane];                       \
        c.stamp = t.stamp;                                                                         \
        load_##kind(d_in, p, at, &v);                                                              \
        const unsigned own = scan_rows_##kind(&v, s_row[warp]);                                    \
        if (is_row && !last)                                                                       \
            publish(c, d_left, t.column == 0, own);                                                \
        s_column[warp][lane] = columns_of_##kind(&v);                                              \
        if (is_row)                                                                                \
            left = sum_before(c, d_left, c.height, t.column, last, own);                           \
        __syncwarp();                                                                              \
        const unsigned all_left = add_lanes(left);                                                 \
        if (lane == 0)                                                                             \
            s_left[warp] = all_left;                                                               \
        __syncthreads();                                                                           \
        if (threadIdx.x < COLUMNS) /* thread x cares for column x of the tile */                   \
            ((unsigned *)s_above)[threadIdx.x] = look_up(c, p, t, s_column, s_left, warps);        \
        uint4 sum = sums_of(s_column, s_left, warp);                                               \
        __syncthreads();                                                                           \
        add_to(&sum, s_above[lane]);                                                               \
        store_rows_##kind(&v, (unsigned *)d_table, p, at, left, sum, s_column[warp]);              \
    }                                                                                              \
    void sat_speed_##kind(const type *d_in, sum_type *d_table, int n)                              \
    {                                                                                              \
        chains c;                                                                                  \
        if (n <= 0)                                                                                \
            return;                                                                                \
        const bool few = has_few_tiles(n);                                                         \
        const int strips = few ? (int)HOP_WARPS : (int)warps;                                      \
        const picture p = picture_of(n, strips * ROWS);                                            \
        if (!open_chains(p, few, &c))                                                              \
            return;                                                                                \
        if (few)                                                                                   \
            sum_few_tiles_##kind<<<p.across * p.down, HOP_WARPS * WARP>>>(d_in, d_table, p, c);    \
        else                                                                                       \
            sum_tiles_##kind<<<p.across * p.down, warps * WARP>>>(d_in, d_table, p, c);            \
    }

/* False: there is not enough memory. Words of large pictures' last tiles are not published. few:
   words lie in fours, also those of padding. */
static bool open_chains(picture p, bool few, chains *c)
{
    c->height = few ? p.down * HOP_WARPS * ROWS : p.rows;
    c->width = few ? p.across * COLUMNS : p.columns;
    c->stamp = 0;
    const size_t left = (size_t)(p.across - !few) * c->height,
                 above = (size_t)(p.down - !few) * c->width;
    c->used = left + above + (few ? p.across * p.down : 0);
    if (!open_state(c->used, &c->d_state, &c->d_left, &c->room))
        return false;
    c->d_above = c->d_left + left;
    c->d_total = c->d_above + above;
    return true;
}

DEFINE_TABLE(u8, unsigned char, unsigned, WARPS_U8)
DEFINE_TABLE(s32, int, int, WARPS_S32)

#endif
