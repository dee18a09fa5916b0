// expect: CRASH | nothing caught it: std::out_of_range, vector::_M_range_check
/* One element beyond the end of a vector, by at(). */
#include <vector>

#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    std::vector<float> sums(n);

    for (int i = 0; i < n; i++)
        sums.at(i + 1) = in[i];
    for (int i = 0; i < n; i++)
        out[i] = sums[i];
}

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
