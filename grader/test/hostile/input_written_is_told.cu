// expect: WRONG | the input was overwritten
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        out[i] = sum += in[i];
        ((float *)in)[i] = sum;
    }
}
