// catches: a fence that orders for its own block only, between blocks
// As fence_missing.cu, with __threadfence_block() where other blocks read.
#include "wait.h"

#ifdef RIGHT
#define FENCE __threadfence
#else
#define FENCE __threadfence_block
#endif

__global__ void pass(int *value, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *value = 42;
        FENCE();
        *flag = 1;
    } else {
        WAIT_WHILE(*flag == 0);
        __threadfence();
        *out = *value;    // simt: race
    }
}

int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 3 * sizeof *data);
    cudaMemset(data, 0, 3 * sizeof *data);
    pass<<<2, 1>>>(data, data + 1, data + 2);
    cudaDeviceSynchronize();
    cudaFree(data);
}
