// expect: OUTPUT_LIMIT | printed more than
#include <stdio.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    for (;;)
        puts("all work and no play makes a dull scan");
}
