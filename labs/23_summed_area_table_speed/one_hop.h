/*
 * one_hop.h: summed-area tables of pictures that have few tiles. Given; for inclusion by
 * launches.h.
 *
 * In a large picture a tile waits for what lies left, publishes its columns, and waits for what
 * lies above: two waits, one after the other. Here all that tiles publish is their own: sums of
 * rows, columns, and of all their pixels; and a tile looks at all tiles to the left, above, and
 * above to the left at once. That is one wait, but more words: few tiles only.
 */
#ifndef ONE_HOP_H
#define ONE_HOP_H

#include "strips.h"
#include "words.h"

#ifdef SCANLAB_ENGINE
enum { FEW_TILES = 6, HOP_WARPS = 4 };
#else
enum { FEW_TILES = 132, HOP_WARPS = 8 };
#endif

enum {
    LEFT_LOOKS = 4, /* tiles to the left that a lane looks at at once */
    MOST_ACROSS = WARP
};

static bool has_few_tiles(int n)
{
    const picture p = picture_of(n, HOP_WARPS * ROWS);

    return p.across <= MOST_ACROSS && p.across * p.down <= FEW_TILES;
}

/* Of a tile's columns, without what lies left of it; and of all its pixels. A whole warp calls
   it. */
static __device__ __forceinline__ void tell_tile(chains c, picture p, tile t, uint4 own)
{
    tell_four(c,
              &c.d_above[(size_t)t.row * c.width + t.column * COLUMNS + 4 * (threadIdx.x % WARP)],
              false, own);
    if (threadIdx.x % WARP == WARP - 1)
        publish(c, &c.d_total[t.row * p.across + t.column], false, own.w);
}

/* The warp's share of all that lies left and above: *left: of row lane % ROWS; returned: of the
   lane's four columns, for every HOP_WARPS-th row of tiles above. */
static __device__ __forceinline__ uint4 look_around(chains c, picture p, tile t, int y,
                                                    unsigned *left)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    uint4 above = four_of(0);
    unsigned corner = 0, of_row = 0;

    for (int k = 0; k * LEFT_LOOKS * (WARP / ROWS) < t.column || k * HOP_WARPS < t.row; k++) {
        const int first = k * LEFT_LOOKS * (WARP / ROWS) + lane / ROWS, row = k * HOP_WARPS + warp;
        const word *d_left = &c.d_left[y + lane % ROWS],
                   *d_above = &c.d_above[(size_t)row * c.width + t.column * COLUMNS + 4 * lane],
                   *d_total = &c.d_total[row * p.across + lane];
        word in_row[LEFT_LOOKS], four[4], total;
        bool all;

        do {
            all = true;
#pragma unroll
            for (int j = 0; j < LEFT_LOOKS; j++) {
                const int column = first + j * (WARP / ROWS);
                in_row[j] = 0;
                if (column < t.column) {
                    in_row[j] = look(&d_left[(size_t)column * c.height]);
                    all = all && is_published(c, in_row[j]);
                }
            }
            four[0] = four[1] = four[2] = four[3] = total = 0;
            if (row < t.row) {
                look_at_four(d_above, four);
                all = all && is_published(c, four[0]) && is_published(c, four[1]) &&
                      is_published(c, four[2]) && is_published(c, four[3]);
            }
            if (row < t.row && lane < t.column) {
                total = look(d_total);
                all = all && is_published(c, total);
            }
        } while (!__all_sync(ALL_LANES, all));
#pragma unroll
        for (int j = 0; j < LEFT_LOOKS; j++)
            of_row += (unsigned)in_row[j];
        add_to(&above, make_uint4((unsigned)four[0], (unsigned)four[1], (unsigned)four[2],
                                  (unsigned)four[3]));
        corner += (unsigned)total;
    }
#pragma unroll
    for (int distance = ROWS; distance < WARP; distance *= 2)
        of_row += __shfl_xor_sync(ALL_LANES, of_row, distance);
    *left = of_row;
    add_to(&above, four_of(add_lanes(corner)));
    return above;
}

#define DEFINE_SMALL_TABLE(kind, type, sum_type)                                                   \
    __global__ void __launch_bounds__(HOP_WARPS *WARP, 1)                                          \
        sum_few_tiles_##kind(const type *d_in, sum_type *d_table, picture p, chains c)             \
    {                                                                                              \
        __shared__ uint4 s_column[HOP_WARPS][WARP], s_above[HOP_WARPS][WARP],                      \
            s_four[HOP_WARPS][WARP];                                                               \
        __shared__ unsigned s_row[HOP_WARPS][ROWS], s_left[HOP_WARPS];                             \
        __shared__ tile s_tile;                                                                    \
        const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;                            \
        unsigned left;                                                                             \
        strip_##kind v;                                                                            \
        ask_for_##kind(d_in, p, HOP_WARPS);                                                        \
        if (threadIdx.x == 0)                                                                      \
            s_tile = take_tile(p, c);                                                              \
        __syncthreads();                                                                           \
        const tile t = s_tile;                                                                     \
        const corner at = corner_of(p, t, HOP_WARPS);                                              \
        c.stamp = t.stamp;                                                                         \
        load_##kind(d_in, p, at, &v);                                                              \
        const unsigned own = scan_rows_##kind(&v, s_row[warp]);                                    \
        if (lane < ROWS)                                                                           \
            publish(c, &c.d_left[(size_t)t.column * c.height + at.y + lane], false, own);          \
        s_column[warp][lane] = columns_of_##kind(&v);                                              \
        __syncthreads();                                                                           \
        if (warp == 0)                                                                             \
            tell_tile(c, p, t, sums_of(s_column, NULL, HOP_WARPS));                                \
        s_above[warp][lane] = look_around(c, p, t, at.y, &left);                                   \
        const unsigned all_left = add_lanes(lane < ROWS ? left : 0);                               \
        if (lane == 0)                                                                             \
            s_left[warp] = all_left;                                                               \
        __syncthreads();                                                                           \
        uint4 sum = sums_of(s_column, s_left, warp);                                               \
        add_to(&sum, sums_of(s_above, NULL, HOP_WARPS));                                           \
        store_rows_##kind(&v, (unsigned *)d_table, p, at, left, sum, s_four[warp]);                \
    }

#endif
