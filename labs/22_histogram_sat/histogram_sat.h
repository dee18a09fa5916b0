/*
 * histogram_sat.h: the contract of lab 22, between histogram_sat.cu and its callers.
 *
 * Histograms, how many pixels of a range they say, and summed-area tables: of a picture, row by
 * row, the sum of all pixels above and left of each one, with its own row and column.
 *
 * Common to all:
 *   n         pixels, 0 <= n < 2^30; but of histogram_ranges queries
 *   a picture sat_columns(n) columns and sat_rows(n) rows; pixel (x, y) is element
 *             y * columns + x. A row begins anywhere: columns are no multiple of anything
 *   d_in      n pixels in device memory, 0 (black) to 2^32 - 1 (white); only read
 *   d_table   n sums, in the places of their pixels: below 2^62
 *   d_count   HISTOGRAM_BINS counts. Bin of a pixel: its upper 8 bits
 * Arrays are aligned as cudaMalloc aligns, and apart from each other; every element of an output is
 * written.
 *
 * An entry works on the default stream and returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides
 * is the entry's own and is kept from call to call: calls from several threads, or on several
 * streams, are not allowed.
 *
 * Sources: Hadwiger, "GPU and GPGPU Programming", lecture 18, range histograms and summed-area
 * tables (its formula for a range needs the exclusive scan); Crow, "Summed-Area Tables for Texture
 * Mapping", SIGGRAPH 1984.
 */
#ifndef HISTOGRAM_SAT_H
#define HISTOGRAM_SAT_H

enum {
    SAT_THREADS = 256, /* of a block: 8 warps */
    SAT_SIDE = 64,     /* a tile of a picture: so many rows and columns */
    HISTOGRAM_BINS = 256,
    HISTOGRAM_TILE = 4096 /* pixels: 16 a thread */
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

/* d_count[b] = how many pixels are in bin b; 0 in all of them if n = 0. A block counts in a table
   of its own, and adds that to d_count: at most HISTOGRAM_BINS atomics in global memory for each
   HISTOGRAM_TILE pixels. */
void histogram_private(const unsigned *d_in, unsigned *d_count, int n);

/* The same, where many neighbours are in one bin: the lanes of a warp that are in one bin make one
   atomic together. */
void histogram_hot(const unsigned *d_in, unsigned *d_count, int n);

/* d_found[i] = how many pixels are in the bins d_low[i] to d_high[i], both included; n queries, 0
   <= d_low[i] <= d_high[i] < HISTOGRAM_BINS. All pixels together are fewer than 2^32. Two look-ups
   a query. */
void histogram_ranges(const unsigned *d_count, const int *d_low, const int *d_high,
                      unsigned *d_found, int n);

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
