/*
 * histogram_sat_speed.h: the contract of lab 22's bonus: histograms and summed-area tables at the
 * speed of memory.
 *
 *   n         pixels, 0 <= n < 2^30
 *   a picture as in lab 22: sat_columns(n) columns and sat_rows(n) rows, pixel (x, y) at
 *             y * columns + x. Columns are no multiple of anything; where they are one of 4, it
 *             runs at full speed
 *   d_in      n pixels in device memory, only read
 *   d_count   256 counts: of a pixel of 8 bits its value is the bin, of one of 32 bits its upper 8
 *             bits
 *   d_table   n sums, in the places of their pixels, modulo 2^32
 * All begin at a multiple of 16 bytes and are apart from each other; every element of an output is
 * written.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more memory for words than any before; it returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides
 * is kept from call to call: calls from several threads, or on several streams, are not allowed.
 *
 * Sources: as in lab 22's histogram_sat.h; Merrill and Garland, NVR-2016-002, for look-back.
 */
#ifndef HISTOGRAM_SAT_SPEED_H
#define HISTOGRAM_SAT_SPEED_H

#include "../22_histogram_sat/histogram_sat.h"

enum {
    SAT_SPEED_COLUMNS = 128,   /* of a tile */
    SAT_SPEED_ENGINE_ROWS = 64 /* of a tile on the simulated GPU */
};

#ifdef __cplusplus
extern "C" {
#endif

/* The counts are written also where n = 0. */
void histogram_speed_u8(const unsigned char *d_in, unsigned *d_count, int n);
void histogram_speed_u32(const unsigned *d_in, unsigned *d_count, int n);

/* Nothing is launched where n = 0. */
void sat_speed_u8(const unsigned char *d_in, unsigned *d_table, int n);
void sat_speed_s32(const int *d_in, int *d_table, int n);

#ifdef __cplusplus
}
#endif

#endif
