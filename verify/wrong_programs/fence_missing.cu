// catches: a flag that may overtake its data, for want of a __threadfence
// cannot: a flag that nobody waits for in this run
// Block 0 stores a value, then a flag; block 1 waits for the flag and reads the value.
#include "wait.h"

__global__ void pass(int *value, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *value = 42;
#ifdef RIGHT
        __threadfence();
#endif
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
