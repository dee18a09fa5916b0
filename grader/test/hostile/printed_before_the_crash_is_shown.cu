// expect: CRASH | n is 0
/* A line on its way when the program dies: a pipe takes what a terminal would have shown. */
#include <stdio.h>
#include <stdlib.h>

#include "cpu_scan.h"

void cpu_scan_inclusive(const float *, float *, int n)
{
    printf("n is %d\n", n);
    abort();
}

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
