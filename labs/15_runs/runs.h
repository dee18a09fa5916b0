/*
 * runs.h: the contract of lab 15, between runs.cu and its callers.
 *
 * A run is as many equal keys, side by side, as there are. One kernel finds all runs of an array,
 * and reports the first key of each, and how many it has or what its values come to. It reads an
 * element once, and writes only what it reports. Tiles and blocks are lab 14's: see
 * ../14_compaction/compaction.h.
 *
 * Common to all:
 *   d_keys, d_values   n elements in device memory, aligned as cudaMalloc aligns; only read. Floats
 *                      may be infinite
 *   d_unique, ...      room for n elements each, apart from every other array. What lies after the
 *                      last run stays as it was
 *   d_count            one long long in device memory: how many runs there are; 0 for n = 0
 *   n                  elements, 0 <= n < 2^42
 * Order is kept: what stood further left in the input stands further left in the output.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more descriptors than any before, or n is 0; it returns without waiting. It reports no errors of
 * its own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are the
 * entry's own and are kept from call to call: calls from several threads, or on several streams,
 * are not allowed.
 *
 * Sources: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002, section 5.2.
 */
#ifndef RUNS_H
#define RUNS_H

#include "../14_compaction/compaction.h" /* COMPACTION_TILE and others */

#ifdef __cplusplus
extern "C" {
#endif

/* run_length_encode: d_unique gets the first key of each run, d_lengths how many it has: fewer than
   2^31. Floats are equal where == says so. */
void runs_lengths_i32(const int *d_keys, int *d_unique, int *d_lengths, long long *d_count,
                      long long n);
void runs_lengths_f32(const float *d_keys, float *d_unique, int *d_lengths, long long *d_count,
                      long long n);
void runs_lengths_i64(const long long *d_keys, long long *d_unique, int *d_lengths,
                      long long *d_count, long long n);

/* reduce_by_key: the same, with the sum of the values that belong to the run's keys in place of its
   length. int and long long wrap around. */
void runs_sums_f32(const int *d_keys, const float *d_values, int *d_unique, float *d_sums,
                   long long *d_count, long long n);
void runs_sums_i32(const float *d_keys, const int *d_values, float *d_unique, int *d_sums,
                   long long *d_count, long long n);
void runs_sums_i64(const long long *d_keys, const long long *d_values, long long *d_unique,
                   long long *d_sums, long long *d_count, long long n);

/* One of your device functions, tried alone with numbers for which no array is large enough. */

/* join: of the pairs k and k + 1, counts and open int sums. n - 1 results; the last are 0. */
void runs_join(const long long *d_heads, const int *d_sum, long long *d_joined_heads,
               int *d_joined_sum, long long n);

/* Steps: given in steps.h, they try your device functions one by one. In them a warp has its
   elements in rows of 32, as in a tile, and works alone. */

/* find_heads: d_head[i] = 1 where a run of keys begins, and 0 elsewhere. */
void runs_heads(const float *d_keys, int *d_head, long long n);

/* open_lengths: of each warp of 512 elements. d_open[i] = how many of them stand between the
   nearest head to the left of i, itself counted, and i; all before i where there is no such head.
   d_last[w] the same at the end of warp w. */
void runs_open_lengths(const int *d_head, int *d_open, int *d_last, long long n);

/* open_sums: as open_lengths, with sums of d_value in place of how many. */
void runs_open_sums(const int *d_head, const int *d_value, int *d_open, int *d_last, long long n);

/* runs_tile: runs_lengths_i32 and runs_sums_f32 where element 0 is the last one before
   COMPACTION_FAR_TILE, and all up to it are heads; the tiles are made of those after it.
   n <= 3 * COMPACTION_TILE. */
void runs_far_lengths(const int *d_keys, int *d_unique, int *d_lengths, long long *d_count,
                      long long n);
void runs_far_sums(const int *d_keys, const float *d_values, int *d_unique, float *d_sums,
                   long long *d_count, long long n);

#ifdef __cplusplus
}
#endif

#endif
