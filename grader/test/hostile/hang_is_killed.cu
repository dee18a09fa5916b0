// expect: TIMEOUT | it was at line 7 then
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    volatile int forever = 1;
    while (forever) {
    }
}
