/*
 * counted.h: what a run has counted, by name, and what gates measure of it.
 */
#ifndef LECTURE_COUNTED_H
#define LECTURE_COUNTED_H

#include "lab.h"
#include "simt.h"

/* The k-th field of simt_counts; null: there are no more. */
const char *counted_name(unsigned k);
uint64_t counted_value(const simt_counts *counts, unsigned k);

/* What a gate measures. False: not made of a run's counts alone. */
bool counted_metric(lab_metric metric, const simt_counts *counts, double *value);

#endif
