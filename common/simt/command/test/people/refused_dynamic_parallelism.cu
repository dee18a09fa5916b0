// expect: refused | launches from kernels are not offered
// manner: NVIDIA's samples
// flags: -rdc=true -arch=sm_80
#include <stdio.h>
__global__ void child(int depth) { printf("child at %d\n", depth); }
__global__ void parent(int depth)
{
    if (threadIdx.x == 0)
        child<<<1, 2>>>(depth + 1);
}
int main(void)
{
    parent<<<1, 32>>>(0);
    cudaDeviceSynchronize();
    return 0;
}
