/*
 * launches.h: the kernels of histogram_sat_speed.cu, and the entries of histogram_sat_speed.h. For
 * inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "one_hop.h"
#include "strips.h"
#include "words.h"

/* ---- histograms ------------------------------------------------------------------------------ */

/* The block's counters become 0, and d_count does, by the block with the first ticket. Returns the
   number of the launch. The whole block calls it; s_ticket: two words. */
static __device__ __forceinline__ unsigned open_counters(unsigned *s_count, unsigned *s_ticket,
                                                         unsigned *d_count, launches *d_state)
{
    for (int i = threadIdx.x; i < BINS * WARP; i += blockDim.x)
        s_count[i] = 0;
    if (threadIdx.x == 0)
        s_ticket[0] = take_ticket(d_state, &s_ticket[1]);
    __syncthreads();
    const unsigned launch = s_ticket[1];
    if (s_ticket[0] == 0) {
        for (int b = threadIdx.x; b < BINS; b += blockDim.x)
            d_count[b] = 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *(volatile unsigned *)&d_state->cleared = launch + 1;
        }
    }
    return launch;
}

/* All of the block's pixels are counted, and d_count has been cleared. The whole block calls it. */
static __device__ __forceinline__ void close_counters(const launches *d_state, unsigned launch)
{
    if (threadIdx.x == 0) {
        while (*(const volatile unsigned *)&d_state->cleared != launch + 1)
            ;
        __threadfence();
    }
    __syncthreads();
}

/* each: pixels of a vector of 16 bytes */
#define DEFINE_HISTOGRAM(kind, type, each)                                                         \
    __global__ void __launch_bounds__(HISTOGRAM_BLOCK, HISTOGRAM_BLOCKS)                           \
        count_pixels_##kind(const type *d_in, unsigned *d_count, int n, launches *d_state)         \
    {                                                                                              \
        __shared__ unsigned s_count[BINS * WARP], s_ticket[2];                                     \
        const int vectors = n / each, i = blockIdx.x * blockDim.x + threadIdx.x;                   \
        uint4 v[AHEAD];                                                                            \
        load_vectors((const uint4 *)d_in, vectors, i, v); /* on their way meanwhile */             \
        const unsigned launch = open_counters(s_count, s_ticket, d_count, d_state);                \
        count_all(s_count, (const uint4 *)d_in, vectors, i, v, each == 16);                        \
        if (i < n - vectors * each)                                                                \
            count(s_count, d_in[vectors * each + i] >> (each == 16 ? 0 : 24));                     \
        close_counters(d_state, launch);                                                           \
        add_copies(s_count, d_count);                                                              \
    }                                                                                              \
    void histogram_speed_##kind(const type *d_in, unsigned *d_count, int n)                        \
    {                                                                                              \
        static int resident;                                                                       \
        const int most = resident_blocks((const void *)count_pixels_##kind, &resident),            \
                  wanted = parts_of(n / each + 1, HISTOGRAM_BLOCK),                                \
                  blocks = wanted < most ? wanted : most;                                          \
        launches *d_state;                                                                         \
        word *d_word;                                                                              \
        size_t room;                                                                               \
        if (most > 0 && open_state(0, &d_state, &d_word, &room))                                   \
            count_pixels_##kind<<<blocks, HISTOGRAM_BLOCK>>>(d_in, d_count, n, d_state);           \
    }

/* How many blocks of a histogram run at a time; 0: it cannot run. Asked once, kept in *blocks. */
static int resident_blocks(const void *kernel, int *blocks)
{
    int device, multiprocessors, each;

    if (*blocks > 0)
        return *blocks;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, HISTOGRAM_BLOCK, 0) !=
            cudaSuccess)
        return 0;
    return *blocks = multiprocessors * each;
}

DEFINE_HISTOGRAM(u8, unsigned char, 16)
DEFINE_HISTOGRAM(u32, unsigned, 4)

/* ---- summed-area tables ---------------------------------------------------------------------- */

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

/* Of one row or column, for one thread: looks back, and tells the sum of all up to the tile. words:
   of the tiles before; last: nobody looks at the tile's own. */
static __device__ __forceinline__ unsigned sum_before(chains c, word *d_word, size_t step,
                                                      int words, bool last, unsigned own)
{
    const unsigned before = look_back(c, d_word, step, words);

    if (words > 0 && !last)
        tell(c, d_word, true, before + own);
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
        tell(c, d_word, t.row == 0, own);
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
            tell(c, d_left, t.column == 0, own);                                                   \
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

/* False: there is not enough memory. Words of large pictures' last tiles are not told. few: words
   lie in fours, also those of what the picture lacks. */
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
