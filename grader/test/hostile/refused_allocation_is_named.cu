// expect: CRASH | an allocation failed
#include <stdlib.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    volatile char *block = (volatile char *)malloc((size_t)64 << 30);
    block[0] = 1;
}
