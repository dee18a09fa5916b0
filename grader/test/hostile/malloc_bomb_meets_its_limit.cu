// expect: MEM_LIMIT | MiB of memory
#include <stdlib.h>
#include "cpu_scan.h"

static void *volatile kept;

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    for (;;) {
        volatile char *block = (volatile char *)malloc(16 << 20);
        for (int i = 0; i < 16 << 20; i += 4096)
            block[i] = 1;
        kept = (void *)block;
    }
}
