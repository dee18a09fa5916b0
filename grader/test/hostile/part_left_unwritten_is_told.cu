// expect: WRONG | never written
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n - n / 4; i++)
        out[i] = sum += in[i];
}
