// catches: a lock between lanes of a warp, which needs independent thread scheduling (a note)
// Every lane takes a lock in turn. Fine from sm_70 on; older GPUs hang.
#include "wait.h"

__device__ int lock, total;

__global__ void add(void)
{
#ifdef RIGHT
    atomicAdd(&total, 1);
#else
    WAIT_WHILE(atomicCAS(&lock, 0, 1) != 0);    // simt: needs sm_70
    __threadfence();
    *(volatile int *)&total += 1;
    __threadfence();
    atomicExch(&lock, 0);
#endif
}

int main(void)
{
    add<<<1, 32>>>();
    cudaDeviceSynchronize();
}
