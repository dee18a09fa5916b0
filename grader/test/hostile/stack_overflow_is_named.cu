// expect: CRASH | stack overflow
#include "cpu_scan.h"

static int deeper(volatile int *above)
{
    volatile int frame[1024];
    frame[0] = *above + 1;
    return deeper(frame) + frame[0];
}

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    volatile int first = n;
    out[0] = (float)deeper(&first);
}
