// catches: threads of a block that wait for what others do only after a barrier
// One warp waits for a flag that another sets after a barrier which the first never reaches.
#include "wait.h"

__device__ int flag;

__global__ void wait_first(int *out)
{
    int t = threadIdx.x;
#ifdef RIGHT
    if (t == 32)
        atomicExch(&flag, 1);
#endif
    if (t == 0)
        WAIT_WHILE(atomicAdd(&flag, 0) == 0);    // simt: deadlock: flag
    __syncthreads();
    if (t == 32)
        atomicExch(&flag, 1);
    out[t] = t;
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof *out);
    wait_first<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
