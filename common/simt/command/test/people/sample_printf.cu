// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <stdlib.h>
#include <helper_cuda.h>

__global__ void testKernel(int val)
{
    printf("[%d, %d]:\t\tValue is:%d\n", blockIdx.y * gridDim.x + blockIdx.x,
           threadIdx.z * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x, val);
}

int main(int argc, char **argv)
{
    cudaDeviceProp props;
    int devID = findCudaDevice(argc, (const char **)argv);
    checkCudaErrors(cudaGetDevice(&devID));
    checkCudaErrors(cudaGetDeviceProperties(&props, devID));
    checkCudaErrors(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    dim3 dimGrid(2, 2), dimBlock(2, 2, 2);
    testKernel<<<dimGrid, dimBlock>>>(10);
    checkCudaErrors(cudaDeviceSynchronize());
    puts("PASS");
    return EXIT_SUCCESS;
}
