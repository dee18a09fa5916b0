// expect: TIMEOUT | it most likely ends, only too late
/* Right, and so slow that only the largest case has no time. */
#include <unistd.h>

#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0.0f;

    for (int i = 0; i < n; i++) {
        if (i % 16 == 15)
            usleep(2500);
        sum += in[i];
        out[i] = sum;
    }
}

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
