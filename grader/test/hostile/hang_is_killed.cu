// expect: TIMEOUT | had not returned
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    volatile int forever = 1;
    while (forever) {
    }
}
