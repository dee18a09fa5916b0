// catches: an assert that fails in a kernel
#include <assert.h>

__global__ void check(int *out)
{
    int t = threadIdx.x;
    out[t] = t;
#ifdef RIGHT
    assert(t < 32);
#else
    assert(t < 31);    // simt: assertion failed: t < 31
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    check<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
