// expect: OUT_OF_BOUNDS | out[1] was written, and out has 1 elements
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = sum += in[i];
    if (n > 0)
        ((volatile float *)out)[n] = sum;
}
