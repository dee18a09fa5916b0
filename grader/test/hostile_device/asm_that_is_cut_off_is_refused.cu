// expect: COMPILE_ERROR | hillis_steele.cu:7:5: error: this asm statement leaves its function
#include "hillis_steele.h"

/* LLVM ends the text at the NUL, and the comment stays open. */
__global__ void scan(float *d_out)
{
    asm volatile("/* \0 */");
    d_out[threadIdx.x] = 1;
    asm volatile("{ /* */ ret; } .visible .func other() { ret; /* \0 */ }");
    d_out[threadIdx.x] = 2;
    asm volatile("/**/");
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { scan<<<1, 1>>>(d_out); }
