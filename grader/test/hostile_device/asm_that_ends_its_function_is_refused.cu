// expect: COMPILE_ERROR | hillis_steele.cu:8:5: error: this asm statement leaves its function
#include "hillis_steele.h"

__global__ void scan(float *d_out)
{
    asm volatile("{ .reg .b32 %%r<2>; }");
    d_out[threadIdx.x] = 1;
    asm volatile("ret; }\n.pragma \"members s_sum .a 0 4294967296 1\";\n.func other() {");
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { scan<<<1, 1>>>(d_out); }
