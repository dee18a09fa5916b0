// expect: OUT_OF_BOUNDS | d_out
#include <dlfcn.h>
#include <string.h>
#include "hillis_steele.h"

__global__ void beyond(float *d_out, int n) { d_out[n + threadIdx.x] = 1; }

/* Forgets in the runtime's state, in its own memory, that a kernel has failed. */
void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        beyond<<<1, 32>>>(d_out, n);
    cudaDeviceSynchronize();
    void *state = dlsym(RTLD_DEFAULT, "cudart");
    if (state)
        memset((char *)state + 4, 0, 12);
    cudaGetLastError();
}
