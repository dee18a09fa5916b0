// expect: CRASH | host code dereferenced a device pointer
#include <cuda_runtime.h>
#include "hillis_steele.h"

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    for (int i = 0; i < n; i++)
        d_out[i] = d_in[i];
}
