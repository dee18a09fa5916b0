/*
 * strips.h: sizes; tiles of a picture, in which order blocks take them; and a strip, the rows of a
 * tile that a warp has in registers.
 *
 * A tile has COLUMNS columns; a warp has ROWS rows of it, and a lane four neighbours of each row.
 * What lies outside the picture is 0.
 */
#ifndef STRIPS_H
#define STRIPS_H

#include "summed_area_table_speed.h"
#include "words.h"

enum {
    COLUMNS = SAT_SPEED_COLUMNS,
    ROWS = 16,        /* of a strip */
    FIRST_LOOKS = 2,  /* words that a thread looks at at once: first, */
    LOOKS = 3,        /* and from then on */
#ifdef SCANLAB_ENGINE /* several tiles at sizes that it runs in a moment */
    WARPS_U8 = SAT_SPEED_ENGINE_ROWS / ROWS,
    WARPS_S32 = SAT_SPEED_ENGINE_ROWS / ROWS,
#else
    WARPS_U8 = 16, /* of a tile's block: strips */
    WARPS_S32 = 8,
#endif
/* blocks that a multiprocessor should have room for; it may hold 1024 or 1536 threads */
#if defined SCANLAB_ENGINE ||                                                                      \
    (defined __CUDA_ARCH__ && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100))
    TABLE_BLOCKS = 1
#else
    TABLE_BLOCKS = 2
#endif
};

/* ---- tiles ----------------------------------------------------------------------------------- */

typedef struct picture {
    int columns, rows, across, down; /* across, down: in tiles */
} picture;

typedef struct tile {
    int column, row; /* in tiles */
    unsigned stamp;
} tile;

static __host__ __device__ __forceinline__ int parts_of(int n, int each)
{
    return (n - 1) / each + 1;
}

static picture picture_of(int n, int rows_of_a_tile)
{
    picture p;

    p.columns = sat_columns(n);
    p.rows = sat_rows(n);
    p.across = parts_of(p.columns, COLUMNS);
    p.down = parts_of(p.rows, rows_of_a_tile);
    return p;
}

/* The largest d with d (d + 1) / 2 <= number. */
static __device__ __forceinline__ int diagonal_of(int number)
{
    int d = (int)((sqrtf(8.0f * (float)number + 1.0f) - 1.0f) / 2.0f);

    while (d * (d + 1) / 2 > number)
        d--;
    while ((d + 1) * (d + 2) / 2 <= number)
        d++;
    return d;
}

/* Tiles are taken diagonal by diagonal: both the left neighbour and the one above were begun a
   whole diagonal before. */
static __device__ __forceinline__ tile tile_of(picture p, int number)
{
    const int shorter = p.across < p.down ? p.across : p.down, all = p.across * p.down,
              corner = shorter * (shorter - 1) / 2; /* tiles of the diagonals that grow */
    const bool growing = number < corner, shrinking = number >= all - corner;
    tile t;
    int d, along; /* along the shorter side */

    if (growing || shrinking) {
        const int from_the_corner = growing ? number : all - 1 - number;
        d = diagonal_of(from_the_corner);
        along = from_the_corner - d * (d + 1) / 2;
    } else {
        d = shorter - 1 + (number - corner) / shorter;
        along = (number - corner) % shorter;
    }
    t.column = p.across <= p.down ? along : d - along;
    t.row = d - t.column;
    if (shrinking) {
        t.column = p.across - 1 - t.column;
        t.row = p.down - 1 - t.row;
    }
    return t;
}

/* One thread of a block calls it. */
static __device__ __forceinline__ tile take_tile(picture p, chains c)
{
    unsigned launch;
    const unsigned ticket = take_ticket(c.d_state, &launch);
    tile t = tile_of(p, (int)ticket);

    t.stamp = stamp_of(c, launch, ticket == gridDim.x - 1);
    return t;
}

/* Asks for a tile's pixels of 8 bits, a line of L2 for each of its rows; nobody waits for them.
   The block does so before it has a ticket, of the tile with its own number: all tiles are asked
   for, each by one block, and who gets one finds it nearer. */
static __device__ __forceinline__ void ask_for_u8(const unsigned char *d_in, picture p, int warps)
{
    const tile t = tile_of(p, (int)blockIdx.x);

    for (int r = threadIdx.x; r < warps * ROWS; r += blockDim.x) {
        const int y = t.row * warps * ROWS + r;
        if (y < p.rows)
            asm volatile(
                "prefetch.global.L2 [%0];"
                :
                : "l"(__cvta_generic_to_global(d_in + (size_t)y * p.columns + t.column * COLUMNS)));
    }
}

/* Those of 32 bits are loaded by more instructions, which is enough. */
static __device__ __forceinline__ void ask_for_s32(const int *, picture, int) {}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Inclusive scan of the warp's values. A lane that has none so far to its left keeps its own. */
static __device__ __forceinline__ unsigned scan_lanes(unsigned sum)
{
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2)
        asm volatile("{ .reg .b32 left; .reg .pred there;\n"
                     "  shfl.sync.up.b32 left|there, %0, %1, 0, 0xffffffff;\n"
                     "  @there add.u32 %0, %0, left; }"
                     : "+r"(sum)
                     : "r"(distance));
    return sum;
}

static __device__ __forceinline__ unsigned add_lanes(unsigned v)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        v += __shfl_xor_sync(ALL_LANES, v, distance);
    return v;
}

static __device__ __forceinline__ uint4 four_of(unsigned v) { return make_uint4(v, v, v, v); }

static __device__ __forceinline__ void add_to(uint4 *sum, uint4 v)
{
    sum->x += v.x;
    sum->y += v.y;
    sum->z += v.z;
    sum->w += v.w;
}

/* ---- strips ---------------------------------------------------------------------------------- */

/* Of pixels of 8 bits: pixel[r] has four of row r, the leftmost in the lowest byte. before[k],
   which scan_rows writes: what the row's lanes to the left come to, of row 2k in the lower half, of
   row 2k + 1 in the upper. */
typedef struct strip_u8 {
    unsigned pixel[ROWS], before[ROWS / 2];
} strip_u8;

/* Of pixels of 32 bits: four of each row, which scan_rows makes sums. */
typedef struct strip_s32 {
    uint4 row[ROWS];
} strip_s32;

/* Where a lane's pixels of a strip begin. whole: the picture has all of the strip, and four pixels
   of a row lie at a multiple of four pixels. */
typedef struct corner {
    int x, y;
    bool aligned, whole;
} corner;

static __device__ __forceinline__ corner corner_of(picture p, tile t, int warps)
{
    corner at;

    at.x = t.column * COLUMNS + 4 * (int)(threadIdx.x % WARP);
    at.y = (t.row * warps + (int)threadIdx.x / WARP) * ROWS;
    at.aligned = p.columns % 4 == 0;
    at.whole = at.aligned && (t.column + 1) * COLUMNS <= p.columns && at.y + ROWS <= p.rows;
    return at;
}

static __device__ __forceinline__ void load_u8(const unsigned char *d_in, picture p, corner at,
                                               strip_u8 *v)
{
    const unsigned char *d_from = d_in + (size_t)at.y * p.columns + at.x;

    if (at.whole) {
#pragma unroll
        for (int r = 0; r < ROWS; r++, d_from += p.columns)
            v->pixel[r] = __ldg((const unsigned *)d_from);
        return;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++, d_from += p.columns) {
        const int there = at.y + r < p.rows ? p.columns - at.x : 0;
        v->pixel[r] = 0;
        if (at.aligned) {
            if (there > 0)
                v->pixel[r] = __ldg((const unsigned *)d_from);
        } else {
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (k < there)
                    v->pixel[r] |= (unsigned)d_from[k] << 8 * k;
        }
    }
}

static __device__ __forceinline__ void load_s32(const int *d_in, picture p, corner at, strip_s32 *v)
{
    const unsigned *d_from = (const unsigned *)d_in + (size_t)at.y * p.columns + at.x;

    if (at.whole) {
#pragma unroll
        for (int r = 0; r < ROWS; r++, d_from += p.columns)
            v->row[r] = __ldg((const uint4 *)d_from);
        return;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++, d_from += p.columns) {
        const int there = at.y + r < p.rows ? p.columns - at.x : 0;
        v->row[r] = four_of(0);
        if (at.aligned) {
            if (there > 0)
                v->row[r] = __ldg((const uint4 *)d_from);
        } else {
            if (there > 0)
                v->row[r].x = d_from[0];
            if (there > 1)
                v->row[r].y = d_from[1];
            if (there > 2)
                v->row[r].z = d_from[2];
            if (there > 3)
                v->row[r].w = d_from[3];
        }
    }
}

static __device__ __forceinline__ void store_four(unsigned *d_to, uint4 four)
{
    __stwb((uint4 *)d_to, four); /* 16 bytes at once */
}

/* Row r of a strip's table. Where rows begin anywhere, by way of s_four, the warp's: neighbouring
   lanes store neighbours. The whole warp calls it. */
static __device__ __forceinline__ void store_row(unsigned *d_row, picture p, corner at, int r,
                                                 uint4 sum, uint4 s_four[WARP])
{
    const int lane = threadIdx.x % WARP;

    if (at.y + r >= p.rows)
        return;
    if (at.aligned) {
        if (at.x < p.columns)
            store_four(d_row, sum);
        return;
    }
    __syncwarp(); /* the row before has been read */
    s_four[lane] = sum;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int i = k * WARP + lane - 4 * lane;
        if (at.x + i < p.columns)
            d_row[i] = ((const unsigned *)s_four)[k * WARP + lane];
    }
}

/* The lane's four columns of the tile's first `warps` strips, and what lies left of them; NULL:
   without it. */
static __device__ __forceinline__ uint4 sums_of(const uint4 s_column[][WARP],
                                                const unsigned *s_left, int warps)
{
    uint4 sum = four_of(0);
    unsigned left = 0;

#pragma unroll 4
    for (int w = 0; w < warps; w++) {
        add_to(&sum, s_column[w][threadIdx.x % WARP]);
        left += s_left ? s_left[w] : 0;
    }
    add_to(&sum, four_of(left));
    return sum;
}

#endif
