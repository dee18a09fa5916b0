// expect: WRONG | the output was never written
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    for (int i = 0; i > n; i++)
        out[i] = in[i];
}
