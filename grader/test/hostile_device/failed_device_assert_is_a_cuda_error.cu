// expect: CUDA_ERROR | assert
#include <assert.h>
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void check(const float *d_in, int n) { assert(n < 0); }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { check<<<1, 32>>>(d_in, n); }
