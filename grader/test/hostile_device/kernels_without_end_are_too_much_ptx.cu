// expect: COMPILE_LIMIT | MiB of PTX, and 4 are allowed
#include "hillis_steele.h"

#define TEN(x)      x x x x x x x x x x
#define THOUSAND(x) TEN(TEN(TEN(x)))

__global__ void scan() { asm volatile(THOUSAND(THOUSAND("mov.u32 %r1, %r1;\n"))); }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { scan<<<1, 1>>>(); }
