/*
 * histogram.h: the contract of lab 22, between histogram.cu and its callers.
 *
 * How many pixels of a picture are in each bin, and how many are in a range of bins.
 *
 * Common to all:
 *   n         pixels, 0 <= n < 2^30; but of histogram_ranges queries
 *   d_in      n pixels in device memory, 0 (black) to 2^32 - 1 (white); only read
 *   d_count   HISTOGRAM_BINS counts. Bin of a pixel: its upper 8 bits
 * Arrays are aligned as cudaMalloc aligns, and apart from each other; every element of an output is
 * written.
 *
 * An entry works on the default stream and returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. Calls from several threads, or
 * on several streams, are not allowed.
 *
 * Source: Hadwiger, "GPU and GPGPU Programming", lecture 18, range histograms (its formula for a
 * range needs the exclusive scan).
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

enum {
    HISTOGRAM_THREADS = 256, /* of a block: 8 warps */
    HISTOGRAM_BINS = 256,
    HISTOGRAM_TILE = 4096 /* pixels: 16 a thread */
};

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

#ifdef __cplusplus
}
#endif

#endif
