// expect: PASS | memory from new[], and back
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float *sums = new float[n + 1];

    sums[0] = 0.0f;
    for (int i = 0; i < n; i++)
        sums[i + 1] = sums[i] + in[i];
    for (int i = 0; i < n; i++)
        out[i] = sums[i + 1];
    delete[] sums;
}

void cpu_scan_exclusive(const float *in, float *out, int n)
{
    float *sums = new float[n + 1];

    sums[0] = 0.0f;
    for (int i = 0; i < n; i++)
        sums[i + 1] = sums[i] + in[i];
    for (int i = 0; i < n; i++)
        out[i] = sums[i];
    delete[] sums;
}

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    for (int i = 0; i < n; i++)
        exclusive[i] = i > 0 ? inclusive[i - 1] : 0.0f;
}

void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    for (int i = 0; i < n; i++)
        inclusive[i] = exclusive[i] + in[i];
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    float *f = new float[n];

    for (int j = 0; j < n; j++)
        f[j] = a[j] * b[j];
    cpu_scan_inclusive(f, out, n);
    delete[] f;
}
