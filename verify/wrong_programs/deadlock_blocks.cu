// catches: blocks that wait for blocks which cannot start before they end
// cannot: tell it for your GPU: it depends on how many blocks are resident
// Every block but the last waits for the last one.
#include "wait.h"

__global__ void wait_for_last(volatile int *flag)
{
    if (threadIdx.x == 0) {
#ifdef RIGHT
        if (blockIdx.x == 0)
            *flag = 1;
#else
        if (blockIdx.x == gridDim.x - 1)
            *flag = 1;
#endif
        WAIT_WHILE(*flag == 0);    // simt: deadlock
    }
}

int main(void)
{
    int *flag;
    cudaMalloc((void **)&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    wait_for_last<<<1024, 1024>>>(flag);
    cudaDeviceSynchronize();
    cudaFree(flag);
}
