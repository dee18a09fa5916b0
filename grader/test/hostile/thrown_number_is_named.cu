// expect: CRASH | nothing caught it: int
/* No exception class, and not caught where it is thrown. */
#include "cpu_scan.h"

static void must(bool fine)
{
    if (!fine)
        throw 42;
}

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    must(n > 1000);
    out[0] = in[0];
}

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
