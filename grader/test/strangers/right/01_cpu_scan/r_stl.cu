// expect: PASS | standard library algorithms throughout
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    std::partial_sum(in, in + n, out);
}

void cpu_scan_exclusive(const float *in, float *out, int n)
{
    if (n == 0)
        return;
    out[0] = 0.0f;
    std::partial_sum(in, in + (n - 1), out + 1);
}

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    if (n < 1)
        return;
    *exclusive = 0.0f;
    std::copy_n(inclusive, n - 1, exclusive + 1);
}

void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    std::transform(in, in + n, exclusive, inclusive, std::plus<float>());
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    std::vector<float> f(n);
    std::transform(a, a + n, b, f.begin(), [](float x, float y) { return x * y; });
    cpu_scan_inclusive(f.data(), out, n);
}
