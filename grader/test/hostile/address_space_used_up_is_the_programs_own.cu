// expect: MEM_LIMIT | left no room for the arrays
#include <sys/mman.h>

#include "cpu_scan.h"

__attribute__((constructor)) static void use_up(void)
{
    for (long size = 1l << 40; size >= 4096; size /= 2)
        while (mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
               MAP_FAILED)
            ;
}

void cpu_scan_inclusive(const float *in, float *out, int n) {}
