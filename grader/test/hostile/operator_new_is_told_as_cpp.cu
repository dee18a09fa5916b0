// expect: COMPILE_ERROR | C subset of CUDA: use malloc
/* Sums kept in an array from new[], which needs a library that labs are not linked with. */
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

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
