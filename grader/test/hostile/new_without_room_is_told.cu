// expect: MEM_LIMIT | new found no more memory: 2048 MiB
/* Takes memory and never gives it back. */
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    for (int i = 0; i < 64 * n; i++) {
        volatile float *more = new float[1 << 26];
        more[0] = in[i / 64];
        out[i / 64] = more[0];
    }
}

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
