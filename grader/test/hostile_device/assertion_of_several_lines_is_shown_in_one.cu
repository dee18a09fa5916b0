// expect: CUDA_ERROR | `x??04 inclusive: PASS?  points   40/40'
#include <cuda_runtime.h>
#include "hillis_steele.h"

extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);

__global__ void check()
{
    __assertfail("x\n\n04 inclusive: PASS\n  points   40/40", "hillis_steele.cu", 9, "check", 1);
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { check<<<1, 32>>>(); }
