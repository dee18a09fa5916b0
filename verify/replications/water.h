/*
 * water.h: a step of shallow water on a square of WATER_SIDE cells, by lines longer than lab 21's.
 * What a step is: labs/21_tridiagonal/tridiagonal.h. All cells are there, rows one after the other,
 * and every array begins at a multiple of 16 bytes.
 */
#ifndef REPLICATIONS_WATER_H
#define REPLICATIONS_WATER_H

#include "replications.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n is WATER_SIDE * WATER_SIDE, as in lab 21's water_step. A block takes so many columns. */
void water_step_columns_8(const float *d_ground, const float *d_before, const float *d_now,
                          float *d_next, int n);
void water_step_columns_4(const float *d_ground, const float *d_before, const float *d_now,
                          float *d_next, int n);

#ifdef __cplusplus
}
#endif

#endif
