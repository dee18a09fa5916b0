// expect: CRASH | fopen
#include <stdio.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    FILE *file = fopen("left-behind", "w");
    fputs("x", file);
    fclose(file);
    remove("left-behind");
}
