// expect: CRASH | SIGSEGV
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    volatile int *nowhere = 0;
    *nowhere = n;
}
