// expect: EARLY_EXIT | before cpu_scan_inclusive had returned
#include <unistd.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = sum += in[i];
    for (int fd = 3; fd < 64; fd++)
        close(fd);
}
