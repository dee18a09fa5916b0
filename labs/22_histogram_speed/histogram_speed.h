/*
 * histogram_speed.h: the contract of lab 22's bonus: histograms at the speed of memory.
 *
 *   n         pixels, 0 <= n < 2^30
 *   d_in      n pixels in device memory, only read
 *   d_count   256 counts: of a pixel of 8 bits its value is the bin, of one of 32 bits its upper 8
 *             bits
 * Both begin at a multiple of 16 bytes and are apart from each other; every count is written.
 *
 * An entry launches one kernel on the default stream, and nothing else except in a first call,
 * which may take memory; it returns without waiting. It reports no errors of its own: the caller
 * asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides is kept from
 * call to call: calls from several threads, or on several streams, are not allowed.
 */
#ifndef HISTOGRAM_SPEED_H
#define HISTOGRAM_SPEED_H

#include "../22_histogram/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The counts are written also where n = 0. */
void histogram_speed_u8(const unsigned char *d_in, unsigned *d_count, int n);
void histogram_speed_u32(const unsigned *d_in, unsigned *d_count, int n);

#ifdef __cplusplus
}
#endif

#endif
