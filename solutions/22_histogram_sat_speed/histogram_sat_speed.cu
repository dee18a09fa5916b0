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
    const unsigned lane = threadIdx.x % WARP;

    atomicAdd((unsigned *)((char *)s_count + (from | lane * 4)), 1u);
}

static __device__ __forceinline__ void count(unsigned *s_count, unsigned bin)
{
    count_at(s_count, bin * WARP * 4);
}

/* A shift and a mask make 128 times the bin. bytes: four pixels; else one, of which the upper 8
   bits count. */
static __device__ __forceinline__ void count_word(unsigned *s_count, unsigned pixels, bool bytes)
{
    enum { BIN = (BINS - 1) * WARP * 4 };

    if (bytes) {
        count_at(s_count, pixels << 7 & BIN);
        count_at(s_count, pixels >> 1 & BIN);
        count_at(s_count, pixels >> 9 & BIN);
    }
    count_at(s_count, pixels >> 17 & BIN);
}

/* The block's share of the vectors. vector: the thread's first AHEAD, which have been loaded; the
   next ones are on their way while these are counted. */
static __device__ __forceinline__ void count_all(unsigned *s_count, const uint4 *d_in, int vectors,
                                                 int i, uint4 vector[AHEAD], bool bytes)
{
    const int step = gridDim.x * blockDim.x;

    for (; i < vectors; i += AHEAD * step) {
        uint4 next[AHEAD];
        load_vectors(d_in, vectors, i + AHEAD * step, next);
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (i + k * step < vectors) {
                count_word(s_count, vector[k].x, bytes);
                count_word(s_count, vector[k].y, bytes);
                count_word(s_count, vector[k].z, bytes);
                count_word(s_count, vector[k].w, bytes);
            }
            vector[k] = next[k];
        }
    }
}

/* Adds the 32 copies of each bin up, and that to d_count. Four threads a bin, eight copies each; in
   a warp's round all 32 banks are read. */
static __device__ __forceinline__ void add_copies(const unsigned *s_count, unsigned *d_count)
{
    for (int i = threadIdx.x; i < 4 * BINS; i += blockDim.x) {
        const int b = i / 4, first = i % 4 * 8;
        unsigned sum = 0;
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += s_count[b * WARP + first + (b + k) % 8];
        sum += __shfl_xor_sync(ALL_LANES, sum, 1);
        sum += __shfl_xor_sync(ALL_LANES, sum, 2);
        if (i % 4 == 0 && sum > 0)
            atomicAdd(&d_count[b], sum);
    }
}

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

    /* mostly one of the nearest two tells all; if not, the walk may be long */
    for (int nearest = 1, looks = FIRST_LOOKS; !found; nearest += looks, looks = LOOKS) {
        word told[LOOKS];
        bool all;
        do {
            all = true;
#pragma unroll
            for (int k = 0; k < LOOKS; k++)
                if (k < looks && nearest + k <= words) {
                    told[k] = look(d_word - (nearest + k) * step);
                    all = all && is_told(c, told[k]);
                }
        } while (!all);
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            if (k < looks && nearest + k <= words && !found) {
                before += (unsigned)told[k];
                found = is_all(told[k]);
            }
    }
    return before;
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"
