// expect: WRONG | never written
#include <unistd.h>
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    (void)!ftruncate(3, 0);
    (void)!ftruncate(4, 0);
}
