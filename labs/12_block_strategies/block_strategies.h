/*
 * block_strategies.h: the contract of lab 12, between block_strategies.cu and its callers.
 *
 * The array is cut into sections, each scanned on its own: no sum crosses a section's border. The
 * last section is partial where n is not a multiple of the section. One block works on one section,
 * a thread an element. A section is a square: as many rows as a row has elements, a row a warp. The
 * rows of the entries below have BLOCK_STRATEGIES_WIDTH elements; those of the steps have four, so
 * that a section of 16 fits on a page.
 *
 * Common to all entries:
 *   d_in   n floats in device memory, only read; some may be infinite
 *   d_out  n floats in device memory, apart from d_in; every element is written: d_out[i] =
 *          d_in[first] + ... + d_in[i], where first is the start of i's section
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 * An entry launches one kernel, which adds in float, on the default stream, and returns without
 * waiting. It reports no errors of its own: the caller asks cudaGetLastError and
 * cudaDeviceSynchronize.
 *
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002, section 3.1 and figure 2.
 */
#ifndef BLOCK_STRATEGIES_H
#define BLOCK_STRATEGIES_H

enum {
    BLOCK_STRATEGIES_WIDTH = 32, /* elements of a row, lanes of its warp; rows of a section */
    BLOCK_STRATEGIES_SECTION = BLOCK_STRATEGIES_WIDTH * BLOCK_STRATEGIES_WIDTH, /* = 1024 */
    BLOCK_STRATEGIES_BANKS = 32 /* of shared memory */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Every warp scans its row; one warp scans the sums of the rows; what lies before a row is added to
   each of its elements. */
void block_propagate(const float *d_in, float *d_out, int n);

/* One warp rakes the section: each of its lanes adds a row up, one element after another, the warp
   scans the sums, and each lane adds its row up again, starting from what lies before it. */
void block_raking(const float *d_in, float *d_out, int n);

/* Every warp scans its row; then groups of 1, 2, 4, ... rows are joined in pairs: the last sum of
   the left group is added to each element of the right one. */
void block_sklansky(const float *d_in, float *d_out, int n);

/* Steps: given in steps.h, they try your functions on sections of BLOCK_STRATEGIES_STEP = 16
   elements, 4 rows of 4, a block each: the networks of the source's figure 2. n <= 256. */

enum { BLOCK_STRATEGIES_STEP_WIDTH = 4, BLOCK_STRATEGIES_STEP = 16 };

void block_propagate_16(const float *d_in, float *d_out, int n);
void block_raking_16(const float *d_in, float *d_out, int n);
void block_sklansky_16(const float *d_in, float *d_out, int n);

/* sum_row: d_sum[r] is the sum of row r, elements 4r to 4r + 3, of the array; elements beyond n are
   0. There are ceil(n / 4) rows. */
void block_row_sums(const float *d_in, float *d_sum, int n);

/* scan_row: d_out[i] = d_before[r] + d_in[4r] + ... + d_in[i], where r = i / 4 is i's row. */
void block_row_scans(const float *d_in, const float *d_before, float *d_out, int n);

#ifdef __cplusplus
}
#endif

#endif
