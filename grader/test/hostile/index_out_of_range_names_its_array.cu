// expect: OUT_OF_BOUNDS | write of out[1]; out has 1 element
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = sum += in[i];
    if (n > 0)
        ((volatile float *)out)[n] = sum;
}
