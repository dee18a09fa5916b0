/* stats.c: see stats.h. */
#include "stats.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sorts; false where there is no answer to be had. A NaN has no rank, so it is looked for before
   sorting. */
static bool sort_values(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return false;
    if (count > 1)
        qsort(values, count, sizeof *values, compare_doubles);
    return count > 0;
}

static double sorted_quantile(const double *values, size_t count, double q)
{
    double rank = q * (double)(count - 1);
    size_t below = (size_t)rank;
    double part = rank - (double)below;
    if (part == 0) /* exactly on a value, which may be infinite: 0 * inf would be NaN */
        return values[below];
    return values[below] * (1 - part) + values[below + 1] * part;
}

double stats_quantile(double *values, size_t count, double q)
{
    assert(q >= 0 && q <= 1);
    return sort_values(values, count) ? sorted_quantile(values, count, q) : NAN;
}

double stats_median(double *values, size_t count) { return stats_quantile(values, count, 0.5); }

double stats_spread(double *values, size_t count) { return stats_summarise(values, count).spread; }

stats_summary stats_summarise(double *values, size_t count)
{
    if (!sort_values(values, count))
        return (stats_summary){ count, NAN, NAN, NAN, NAN, NAN, NAN };
    stats_summary summary = {
        .count = count,
        .min = values[0],
        .lower = sorted_quantile(values, count, 0.25),
        .median = sorted_quantile(values, count, 0.5),
        .upper = sorted_quantile(values, count, 0.75),
        .max = values[count - 1],
    };
    summary.spread =
        summary.median == 0 ? NAN : (summary.upper - summary.lower) / fabs(summary.median);
    return summary;
}
