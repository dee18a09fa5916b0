/*
 * runs_speed.h: the contract of the bonus of lab 15, between runs_speed.cu and its callers: what
 * lab 15 does with ints, at the speed of memory.
 *
 * Common to all:
 *   d_keys, d_values   n ints in device memory, only read
 *   d_unique, ...      room for n ints each, apart from every other array. What lies after the
 *                      last run stays as it was
 *   d_count            one long long in device memory: how many runs there are; 0 for n = 0
 *   n                  elements, 0 <= n < 2^40
 * All are aligned to an element. Where the input begins at a multiple of 16 bytes, as what
 * cudaMalloc gives does, it runs at full speed. Order is kept.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more descriptors than any before; it returns without waiting. It reports no errors of its own:
 * the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are kept from call to
 * call: calls from several threads, or on several streams, are not allowed.
 *
 * It needs bulk copies: a GPU of compute capability 9.0 or more.
 */
#ifndef RUNS_SPEED_H
#define RUNS_SPEED_H

#ifdef __cplusplus
extern "C" {
#endif

/* run_length_encode: d_unique gets the first key of each run of equal keys, d_lengths how many it
   has: fewer than 2^31. */
void runs_speed_lengths(const int *d_keys, int *d_unique, int *d_lengths, long long *d_count,
                        long long n);

/* reduce_by_key: the same, with the sum of the n values that belong to the run's keys in place of
   its length; sums wrap around. */
void runs_speed_sums(const int *d_keys, const int *d_values, int *d_unique, int *d_sums,
                     long long *d_count, long long n);

#ifdef __cplusplus
}
#endif

#endif
