/*
 * Three ways to scan a section of S = 1024 elements within a block: warp scans and propagation,
 * raking by one warp, Sklansky's fans.
 *
 * Mapping   block b owns section b, thread t its element t. A section is `width` rows of `width`
 *           elements, a row a warp; width is 32, and 4 in the steps, where four lanes play a warp
 * Bytes     4n read, 4n written; shared memory a block: 128 bytes, raking 4224
 * Work      additions a section   propagate 33 * 129 + 31 * 32             = 5249
 *                                 raking    32 * 31 + 129 + 31 * 32        = 2113
 *                                 Sklansky  32 * 129 + 5 * 512             = 6688
 * Depth     propagate 5 + 5 + 1 = 11, raking 31 + 5 + 32 = 68, Sklansky 5 + 5 = 10
 * Barriers  2, 2, 5
 * Source    Merrill and Garland, NVR-2016-002, section 3.1 and figure 2; Sklansky, IRE Trans.
 *           Electronic Computers EC-9(2), 1960; raking: Dotsenko et al., ICS 2008
 */
#include <cuda_runtime.h>

#include "block_strategies.h"

enum {
    WIDTH = BLOCK_STRATEGIES_WIDTH,
    SECTION = BLOCK_STRATEGIES_SECTION,
    BANKS = BLOCK_STRATEGIES_BANKS,
    PADDED_SECTION = SECTION /* TODO 5: make room for the words that place leaves free */
};

/* ---- given: within a warp -------------------------------------------------------------------- */

/* The lanes of thread t's row, for shuffles: all 32, or the `width` that play its warp. */
static __device__ unsigned lanes_of_row(int t, int width)
{
    return (0xffffffffu >> (32 - width)) << (t % 32 / width * width);
}

/* Sum of value over the lanes of the row up to this one: 31 + 30 + 28 + 24 + 16 = 129 additions of
   32 lanes, depth 5. All lanes of the row must call it together. */
static __device__ float scan_warp(float value, int t, int width)
{
    float sum = value;

    for (int delta = 1; delta < width; delta *= 2) {
        float left = __shfl_up_sync(lanes_of_row(t, width), sum, delta, width);
        if (t % width >= delta)
            sum += left;
    }
    return sum;
}

/* What the lane to the left has. The first lane of the row gets its own value back: there, take 0
   in its place. All lanes of the row must call it together. */
static __device__ float from_left(float value, int t, int width)
{
    return __shfl_up_sync(lanes_of_row(t, width), value, 1, width);
}

/* ---- warp scans and propagation -------------------------------------------------------------- */

/* Sum of the block's values up to thread t's, included. s_sum: a word a row. */
static __device__ float scan_propagate(float value, int t, int width, float *s_sum)
{
    /* TODO 1: scan every row by its warp, then the sums of the rows by the lanes of row 0 (s_sum
       first holds the sums, then their scan), and add to each element what lies before its row.
       There are as many rows as lanes: `width`, which is 4 in the steps, and not always 32. */
    return value;
}

/* ---- raking ---------------------------------------------------------------------------------- */

/* Word of shared memory in which element i stands, whoever stores or reads it. */
static __device__ int place(int i)
{
    /* TODO 5: in which of 32 banks do lanes meet that read element k of 32 rows? Leave words free,
       and replace the line below. It makes elements change places until then, so that the steps
       show where place is forgotten. */
    return i ^ 4;
}

/* The sum of a row, one element after another. Element k of a row is element row * width + k of the
   section, in word place(...). */
static __device__ float sum_row(float *s_value, int row, int width)
{
    /* TODO 2: a loop over the row's `width` elements. */
    return 0.0f;
}

/* Every element of a row becomes before plus the row's elements up to it. */
static __device__ void scan_row(float *s_value, int row, int width, float before)
{
    /* TODO 3: add the row up once more, starting from `before`; each sum takes its element's
       place. */
}

/* Sum of the block's values up to thread t's, included. s_value: the section, element i in word
   place(i). */
static __device__ float scan_raking(float value, int t, int width, float *s_value)
{
    /* TODO 4: put the values into shared memory; then lane r of row 0 has row r. These lanes scan
       the sums of the rows, and each scans its row, starting from what lies before it. Take that
       from the left, and do not compute sum - own: values may be infinite. The other threads
       wait. */
    return value;
}

/* ---- Sklansky -------------------------------------------------------------------------------- */

/* Sum of the block's values up to thread t's, included. s_sum: a word a row. */
static __device__ float scan_sklansky(float value, int t, int width, float *s_sum)
{
    /* TODO 6: scan every row by its warp; then, for groups of 1, 2, 4, ... rows, add to the right
       group of each pair the last sum of the left one. The levels end with groups of width / 2.
       Which rows have to leave their sum for a level, so that one barrier a level is enough? */
    return value;
}

/* ---- kernels and launches -------------------------------------------------------------------- */

/* Threads beyond n scan zeros: every thread meets every barrier. */
static __device__ float load(const float *d_in, int i, int n) { return i < n ? d_in[i] : 0.0f; }

__global__ void propagate_sections(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[WIDTH];
    int i = blockIdx.x * SECTION + threadIdx.x;
    float sum = scan_propagate(load(d_in, i, n), threadIdx.x, WIDTH, s_sum);

    if (i < n)
        d_out[i] = sum;
}

__global__ void rake_sections(const float *d_in, float *d_out, int n)
{
    __shared__ float s_value[PADDED_SECTION];
    int i = blockIdx.x * SECTION + threadIdx.x;
    float sum = scan_raking(load(d_in, i, n), threadIdx.x, WIDTH, s_value);

    if (i < n)
        d_out[i] = sum;
}

__global__ void sklansky_sections(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[WIDTH];
    int i = blockIdx.x * SECTION + threadIdx.x;
    float sum = scan_sklansky(load(d_in, i, n), threadIdx.x, WIDTH, s_sum);

    if (i < n)
        d_out[i] = sum;
}

static int sections(int n)
{
    return (n - 1) / SECTION + 1; /* rounded up, without overflow for the largest n */
}

void block_propagate(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        propagate_sections<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void block_raking(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        rake_sections<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void block_sklansky(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        sklansky_sections<<<sections(n), SECTION>>>(d_in, d_out, n);
}

/* Tries your functions on sections of 16. If you change what they take, leave it out. */
#include "steps.h"
