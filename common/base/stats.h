/*
 * stats.h: what a handful of repeated measurements says, told by ranks, so that one slow run does
 * not move it.
 *
 * Every function sorts the values in place. No values, or a NaN among them: the result is NaN.
 * Units are the caller's.
 */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stddef.h>

typedef struct stats_summary {
    size_t count;
    double min, lower, median, upper, max; /* lower and upper: the quartiles */
    /* (upper - lower) / |median|: 0.02 says that half of the runs are within 2% */
    double spread;
} stats_summary;

/* The value below which a fraction q (0 to 1) of the values lies, linear between neighbouring
   ranks: rank q * (count - 1) counted from 0. Source: Hyndman and Fan, "Sample quantiles in
   statistical packages", 1996, definition 7. */
double stats_quantile(double *values, size_t count, double q);

double stats_median(double *values, size_t count);

/* The relative width of the middle half, as in stats_summary; NaN where the median is 0. */
double stats_spread(double *values, size_t count);

stats_summary stats_summarise(double *values, size_t count);

#endif
