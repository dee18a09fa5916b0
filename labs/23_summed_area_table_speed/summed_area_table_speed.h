/*
 * summed_area_table_speed.h: the contract of lab 23's bonus: summed-area tables at the speed of
 * memory.
 *
 *   n         pixels, 0 <= n < 2^30
 *   a picture as in lab 23: sat_columns(n) columns and sat_rows(n) rows, pixel (x, y) at
 *             y * columns + x. Columns are not a multiple of anything; where they are one of 4, it
 *             runs at full speed
 *   d_in      n pixels in device memory, only read
 *   d_table   n sums, in the places of their pixels, modulo 2^32
 * Both begin at a multiple of 16 bytes and are apart from each other; every sum is
 * written.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more memory for words than any before; it returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides
 * is kept from call to call: calls from several threads, or on several streams, are not allowed.
 *
 * Sources: as in lab 23's summed_area_table.h; Merrill and Garland, NVR-2016-002, for look-back.
 */
#ifndef SUMMED_AREA_TABLE_SPEED_H
#define SUMMED_AREA_TABLE_SPEED_H

#include "../23_summed_area_table/summed_area_table.h"

enum {
    SAT_SPEED_COLUMNS = 128,   /* of a tile */
    SAT_SPEED_ENGINE_ROWS = 64 /* of a tile on the simulated GPU */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Nothing is launched where n = 0. */
void sat_speed_u8(const unsigned char *d_in, unsigned *d_table, int n);
void sat_speed_s32(const int *d_in, int *d_table, int n);

#ifdef __cplusplus
}
#endif

#endif
