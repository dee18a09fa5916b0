// expect: CRASH | SIGFPE
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    volatile int zero = 0;
    if (n > 0)
        out[0] = (float)(n / zero);
}
