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
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int k = 0; k < ROWS / 2; k++) {
        /* 128 pixels of 255 do not reach the upper half */
        const unsigned two = __dp4a(v->pixel[2 * k], 0x01010101u, 0u) +
                             (__dp4a(v->pixel[2 * k + 1], 0x01010101u, 0u) << 16),
                       sum = scan_lanes(two);
        v->before[k] = sum - two;
        if (lane == WARP - 1)
            s_row[k] = sum;
    }
    __syncwarp();
    return ((const unsigned short *)s_row)[lane % ROWS];
}

static __device__ __forceinline__ unsigned scan_rows_s32(strip_s32 *v, unsigned s_row[ROWS])
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        uint4 *four = &v->row[r];
        four->y += four->x;
        four->z += four->y;
        four->w += four->z;
        const unsigned sum = scan_lanes(four->w);
        add_to(four, four_of(sum - four->w));
        if (lane == WARP - 1)
            s_row[r] = sum;
    }
    __syncwarp();
    return s_row[lane % ROWS];
}

/* The lane's four sums of row r, `left` of which lies left of the tile. */
static __device__ __forceinline__ uint4 values_u8(const strip_u8 *v, int r, unsigned left)
{
    const unsigned pixel = v->pixel[r],
                   before = left + (r % 2 ? v->before[r / 2] >> 16 : v->before[r / 2] & 0xffff);

    return make_uint4(__dp4a(pixel, 0x00000001u, before), __dp4a(pixel, 0x00000101u, before),
                      __dp4a(pixel, 0x00010101u, before), __dp4a(pixel, 0x01010101u, before));
}

static __device__ __forceinline__ uint4 values_s32(const strip_s32 *v, int r, unsigned left)
{
    uint4 sum = v->row[r];

    add_to(&sum, four_of(left));
    return sum;
}

/* The sums of all rows, without what lies left of the tile. */
static __device__ __forceinline__ uint4 columns_of_u8(const strip_u8 *v)
{
    unsigned even = 0, odd = 0, before = 0; /* columns 0 and 2, 1 and 3, in 16 bits each */

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        even += v->pixel[r] & 0x00ff00ff;
        odd += v->pixel[r] >> 8 & 0x00ff00ff;
    }
#pragma unroll
    for (int k = 0; k < ROWS / 2; k++)
        before += (v->before[k] & 0xffff) + (v->before[k] >> 16);
    uint4 sum = make_uint4(even & 0xffff, odd & 0xffff, even >> 16, odd >> 16);
    sum.x += before;
    sum.y += sum.x;
    sum.z += sum.y;
    sum.w += sum.z;
    return sum;
}

static __device__ __forceinline__ uint4 columns_of_s32(const strip_s32 *v)
{
    uint4 sum = v->row[0];

#pragma unroll
    for (int r = 1; r < ROWS; r++)
        add_to(&sum, v->row[r]);
    return sum;
}

/* ---- look-back, in both directions ----------------------------------------------------------- */

/* For one thread, which cares for one row or column. d_word: the tile's word of it; the words
   before it are `step` apart, and there are `words` of them. Returns the sum of all before the
   tile. */
static __device__ __forceinline__ unsigned look_back(chains c, const word *d_word, size_t step,
                                                     int words)
{
    unsigned before = 0;
    bool found = words == 0;

    /* mostly one of the nearest two has the sum of all; if not, the walk may be long */
    for (int nearest = 1, looks = FIRST_LOOKS; !found; nearest += looks, looks = LOOKS) {
        word seen[LOOKS];
        bool all;
        do {
            all = true;
#pragma unroll
            for (int k = 0; k < LOOKS; k++)
                if (k < looks && nearest + k <= words) {
                    seen[k] = look(d_word - (nearest + k) * step);
                    all = all && is_published(c, seen[k]);
                }
        } while (!all);
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            if (k < looks && nearest + k <= words && !found) {
                before += (unsigned)seen[k];
                found = is_all(seen[k]);
            }
    }
    return before;
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"
