// expect: OUT_OF_BOUNDS | write of d_out[-1]
#include <cuda_runtime.h>
#include "hillis_steele.h"

__global__ void store(float *d_out) { d_out[(int)threadIdx.x - 1] = 1; }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { store<<<1, 32>>>(d_out); }
