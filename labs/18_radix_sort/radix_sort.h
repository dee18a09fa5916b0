/*
 * radix_sort.h: the contract of lab 18, between radix_sort.cu and its callers.
 *
 * Sorts by digits of the keys, from the lowest to the highest, each time stably: what is equal in a
 * digit keeps its order. The array is cut into tiles of RADIX_TILE keys, the last of them partial
 * where n is not a multiple, and a block has RADIX_THREADS threads, one for each value of a digit.
 *
 * Common to all:
 *   d_in      n keys in device memory, aligned as cudaMalloc aligns; only read
 *   d_out     room for n keys, apart from every other array
 *   d_values, d_values_out    the same, of what belongs to the keys and goes where they go
 *   n         keys, 0 <= n < 2^30
 * Ascending: of int, long long and float as numbers; of float, -0.0 before 0.0, and no key is a
 * NaN. Every sort is stable: equal keys leave their values in the order in which they came.
 *
 * An entry works on the default stream and returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides
 * is the entry's own and is kept from call to call: calls from several threads, or on several
 * streams, are not allowed.
 *
 * Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
 * arXiv 2206.01784.
 */
#ifndef RADIX_SORT_H
#define RADIX_SORT_H

/* a block's threads, a tile's keys, and which range of bits a call has: those of lab 17 */
#include "../17_block_sort/block_sort.h"

enum {
    RADIX_BITS = 8, /* of a digit; the last one of a range may have fewer */
    RADIX_DIGITS = 1 << RADIX_BITS
};

#ifdef __cplusplus
extern "C" {
#endif

/* Each tile by itself, in one kernel that reads a key once and writes it once: sorted by one digit,
   RADIX_BITS bits from radix_first_bit(n) on, or up to bit 31. */
void radix_digit(const unsigned *d_in, unsigned *d_out, int n);

/* The whole array, digit by digit with reduce-then-scan: of keys of s bytes, 3 s n bytes a digit,
   and tables. u32: by the range of bits; what is equal in them keeps its order. */
void radix_device_u32(const unsigned *d_in, unsigned *d_out, int n);
void radix_device_i32(const int *d_in, const unsigned *d_values, int *d_out, unsigned *d_values_out,
                      int n);

/* The whole array in one sweep a digit: 2 s n bytes a digit, s n bytes once, and descriptors.
   u32: by the range of bits. */
void radix_sweep_u32(const unsigned *d_in, unsigned *d_out, int n);
void radix_sweep_f32(const float *d_in, const unsigned *d_values, float *d_out,
                     unsigned *d_values_out, int n);
void radix_sweep_i64(const long long *d_in, const unsigned *d_values, long long *d_out,
                     unsigned *d_values_out, int n);

/* Steps: given in steps.h, they try your device functions one by one. In them a warp works alone,
   and has its elements in rows of 32, as in a tile. */

/* same_digit: d_same[i] has a bit for each lane of i's warp of 32 whose d_digit is that of i. */
void radix_same(const int *d_digit, unsigned *d_same, int n);

/* rank_digits: d_rank[i] = how many elements of i's warp before i have its digit; of each warp of
   256. Digits are 0 to RADIX_DIGITS - 1. */
void radix_ranks(const int *d_digit, int *d_rank, int n);

/* count_all: d_count[k * RADIX_DIGITS + x] = how many keys have x as their digit k. */
void radix_counts(const unsigned *d_in, unsigned *d_count, int n);

#ifdef __cplusplus
}
#endif

#endif
