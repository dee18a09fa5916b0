/*
 * summed_area_table.h: the contract of lab 23, between summed_area_table.cu and its callers.
 *
 * Summed-area tables: of a picture, row by row, the sum of all pixels above and left of each one,
 * with its own row and column.
 *
 * Common to all:
 *   n         pixels, 0 <= n < 2^30
 *   a picture sat_columns(n) columns and sat_rows(n) rows; pixel (x, y) is element
 *             y * columns + x. A row begins anywhere: columns are not a multiple of anything
 *   d_in      n pixels in device memory, 0 (black) to 2^32 - 1 (white); only read
 *   d_table   n sums, in the places of their pixels: below 2^62
 * Arrays are aligned as cudaMalloc aligns, and apart from each other; every element of an output is
 * written.
 *
 * An entry works on the default stream and returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides
 * is the entry's own and is kept from call to call: calls from several threads, or on several
 * streams, are not allowed.
 *
 * Sources: Hadwiger, "GPU and GPGPU Programming", lecture 18; Crow, "Summed-Area Tables for Texture
 * Mapping", SIGGRAPH 1984.
 */
#ifndef SUMMED_AREA_TABLE_H
#define SUMMED_AREA_TABLE_H

enum {
    SAT_THREADS = 256, /* of a block: 8 warps */
    SAT_SIDE = 64      /* a tile of a picture: so many rows and columns */
};

/* The sides of a picture of n pixels: the divisors of n that differ least, upright or lying. */
static inline int sat_short_side(int n)
{
    int side = 0;

    for (int bit = 1 << 14; bit > 0; bit /= 2) /* the square root */
        if (side + bit <= n / (side + bit))
            side += bit;
    while (n % side != 0)
        side--;
    return side;
}
static inline int sat_columns(int n)
{
    return n == 0 ? 0 : (n ^ n >> 12) & 1 ? sat_short_side(n) : n / sat_short_side(n);
}
static inline int sat_rows(int n) { return n == 0 ? 0 : n / sat_columns(n); }

/* A window has all pixels up to so many columns and rows away. */
static inline int sat_radius(int n)
{
    static const int radius[4] = { 12, 1, 40, 3 };
    return radius[(n / 64 + n) % 4];
}

#ifdef __cplusplus
extern "C" {
#endif

/* The summed-area table, rows first and then columns: two kernels, each of which reads n numbers
   and writes n. */
void sat_two_passes(const unsigned *d_in, long long *d_table, int n);

/* d_out = the mean of each pixel's window, of radius sat_radius(n), rounded down. At the border a
   window has only those pixels that there are. Four look-ups a pixel, whatever the radius. */
void sat_box(const long long *d_table, unsigned *d_out, int n);

/* The summed-area table in one kernel, which reads each pixel once and writes each sum once. */
void sat_one_launch(const unsigned *d_in, long long *d_table, int n);

/* Steps: given in steps.h, they try your device functions one by one. */

/* scan_chunk: inclusive scans, of each 96 elements by themselves: a warp, in chunks of 32. */
void sat_chunks(const unsigned *d_in, long long *d_out, int n);

/* sum_before: d_before[i] = d_own[i - 32] + d_own[i - 64] + ..., as far as there are such elements;
   a block has 32 of them. Values are below 2^54, n <= 5000: sums are
   below 2^62. */
void sat_chains(const long long *d_own, long long *d_before, int n);

/* sum_rows and sum_columns: each tile of SAT_SIDE x SAT_SIDE pixels has a table of its own. */
void sat_tiles(const unsigned *d_in, long long *d_table, int n);

#ifdef __cplusplus
}
#endif

#endif
