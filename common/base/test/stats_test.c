/* stats_test.c: quantiles against values worked out by hand. */
#include <math.h>

#include "check.h"
#include "stats.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

TEST(quantile_is_linear_between_ranks)
{
    double values[] = { 40, 10, 30, 20 };
    CHECK(stats_quantile(values, COUNT(values), 0) == 10, "the least value");
    CHECK(stats_quantile(values, COUNT(values), 1) == 40, "the greatest value");
    CHECK(stats_quantile(values, COUNT(values), 0.25) == 17.5, "rank 0.75: got %g",
          stats_quantile(values, 4, 0.25));
    CHECK(stats_quantile(values, COUNT(values), 0.5) == 25, "rank 1.5: got %g",
          stats_quantile(values, 4, 0.5));
}

TEST(median_of_an_odd_count_is_the_middle_value)
{
    double values[] = { 9, -1, 4 };
    CHECK(stats_median(values, COUNT(values)) == 4, "got %g", stats_median(values, COUNT(values)));
    double one[] = { -2.5 };
    CHECK(stats_median(one, 1) == -2.5, "of one value");
}

TEST(summary_tells_spread_and_is_not_moved_by_one_outlier)
{
    double values[] = { 100, 98, 102, 99, 101 };
    stats_summary summary = stats_summarise(values, COUNT(values));
    CHECK(summary.min == 98 && summary.lower == 99 && summary.median == 100 &&
              summary.upper == 101 && summary.max == 102,
          "got %g %g %g %g %g", summary.min, summary.lower, summary.median, summary.upper,
          summary.max);
    CHECK(fabs(summary.spread - 0.02) < 1e-15, "got spread %g", summary.spread);
    double slow[] = { 100, 98, 10000, 99, 101 };
    CHECK(stats_median(slow, COUNT(slow)) == 100, "got %g", stats_median(slow, COUNT(slow)));
    CHECK(fabs(stats_spread(slow, COUNT(slow)) - 0.02) < 1e-15, "got spread %g",
          stats_spread(slow, COUNT(slow)));
}

TEST(no_values_or_a_nan_give_nan)
{
    double values[] = { 1, NAN, 3 }, zeros[] = { -1, 0, 1 }, endless[] = { 1, 2, INFINITY };
    CHECK(isnan(stats_median(values, 0)), "of nothing");
    CHECK(isnan(stats_median(values, COUNT(values))), "of a NaN");
    CHECK(isnan(stats_summarise(values, COUNT(values)).spread), "spread with a NaN");
    CHECK(isnan(stats_spread(zeros, COUNT(zeros))), "spread around a median of 0");
    CHECK(stats_median(endless, COUNT(endless)) == 2, "an infinity is a value like another");
    CHECK(stats_quantile(endless, COUNT(endless), 1) == INFINITY, "and can be the greatest");
}
