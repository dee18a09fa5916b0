/*
 * radix_sort_speed.h: the contract of the bonus of lab 18, between radix_sort_speed.cu and its
 * callers: lab 18's sort in one sweep a digit, as fast as it gets.
 *
 * Both entries:
 *   d_in       n unsigned keys in device memory, only read
 *   d_out      room for n keys, apart from every other array; ascending afterwards
 *   d_values, d_values_out    the same, of what belongs to the keys and goes where they go: values
 *              of equal keys stay in the order in which they came
 *   n          keys, 0 <= n < 2^30; n = 0 launches nothing
 * Arrays begin where cudaMalloc has them begin: at a multiple of 16 bytes.
 *
 * A sort takes five launches on the default stream, one to count and one for each digit of 8 bits,
 * and nothing else except where a call needs more memory than any before. A digit that all keys
 * have in common moves nothing. An entry returns without waiting, and reports no errors of its own:
 * the caller asks cudaGetLastError and cudaDeviceSynchronize. What it needs besides, n words for
 * keys, n for values, and the words of tiles, is kept from call to call: calls from several
 * threads, or on several streams, are not allowed.
 *
 * Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
 * arXiv 2206.01784.
 */
#ifndef RADIX_SORT_SPEED_H
#define RADIX_SORT_SPEED_H

enum {
    RADIX_SPEED_THREADS = 256, /* of a block, on the simulated GPU; and a digit's values */
    RADIX_SPEED_TILE = 1024    /* keys of a tile there */
};

#ifdef __cplusplus
extern "C" {
#endif

void radix_sort_speed_keys(const unsigned *d_in, unsigned *d_out, int n);
void radix_sort_speed_pairs(const unsigned *d_in, const unsigned *d_values, unsigned *d_out,
                            unsigned *d_values_out, int n);

#ifdef __cplusplus
}
#endif

#endif
