// expect: EARLY_EXIT | exited with status 0
#include <stdio.h>
#include <stdlib.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    printf("PASS\n");
    exit(0);
}
