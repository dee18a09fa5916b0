/*
 * occupancy.cu: occupancy, attributes, much dynamic shared memory.
 */
#include <stdio.h>
__global__ void MyKernel(int *array, int arrayCount)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount)
        array[idx] *= array[idx];
}
__global__ void bigShared(float *out)
{
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
int main()
{
    int n = 1000, h[1000], *d, blockSize, minGridSize, numBlocks;
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)MyKernel, 0, n);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, MyKernel, 0, 0);
    int gridSize = (n + blockSize - 1) / blockSize;
    MyKernel<<<gridSize, blockSize>>>(d, n);
    cudaDeviceSynchronize();
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, MyKernel, blockSize, 0);
    auto smem = [](int bs) -> size_t { return bs * sizeof(float); };
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &blockSize, bigShared, smem);
    int device;
    cudaDeviceProp prop;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    printf("Occupancy: %f %%\n",
           100.0 * (numBlocks * blockSize / prop.warpSize) / (prop.maxThreadsPerMultiProcessor / prop.warpSize));
    int smemBytes = 40 * 1024;
    cudaFuncSetAttribute(bigShared, cudaFuncAttributeMaxDynamicSharedMemorySize, smemBytes);
    cudaFuncSetCacheConfig(bigShared, cudaFuncCachePreferShared);
    cudaFuncAttributes attr;
    cudaFuncGetAttributes(&attr, bigShared);
    printf("regs %d max %d\n", attr.numRegs, attr.maxThreadsPerBlock);
    cudaError_t e = cudaFuncSetAttribute(bigShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    printf("64K: %s\n", cudaGetErrorString(e));
    cudaGetLastError();
    float *f, hf[256];
    cudaMalloc(&f, sizeof hf);
    bigShared<<<1, 256, smemBytes>>>(f);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += h[i] != i * i;
    for (int i = 0; i < 256; i++)
        bad += hf[i] != 255 - i;
    printf("%s\n", bad ? "FAIL" : "PASS");
    cudaFree(d);
    cudaFree(f);
}
