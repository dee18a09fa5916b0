// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <iostream>
#include <helper_cuda.h>
const int manualBlockSize = 32;

__global__ void square(int *array, int arrayCount)
{
    extern __shared__ int dynamicSmem[];
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount)
        array[idx] *= array[idx];
}

static double reportPotentialOccupancy(void *kernel, int blockSize, size_t dynamicSMem)
{
    int device, numBlocks;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaGetDeviceProperties(&prop, device));
    checkCudaErrors(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, kernel, blockSize, dynamicSMem));
    int activeWarps = numBlocks * blockSize / prop.warpSize;
    return (double)activeWarps / (prop.maxThreadsPerMultiProcessor / prop.warpSize);
}

static int launchConfig(int *array, int arrayCount, bool automatic)
{
    int blockSize = manualBlockSize, minGridSize = 0, gridSize;
    if (automatic)
        checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)square,
                                                           0, arrayCount));
    gridSize = (arrayCount + blockSize - 1) / blockSize;
    square<<<gridSize, blockSize, 0>>>(array, arrayCount);
    checkCudaErrors(cudaDeviceSynchronize());
    double occupancy = reportPotentialOccupancy((void *)square, blockSize, 0);
    std::cout << "block " << blockSize << ", occupancy " << occupancy * 100 << "%" << std::endl;
    return occupancy > 0;
}

int main()
{
    const int count = 10000;
    int *array, *dArray, fine = 1;
    array = new int[count];
    for (int i = 0; i < count; i++)
        array[i] = i;
    checkCudaErrors(cudaMalloc(&dArray, count * sizeof(int)));
    for (int automatic = 0; automatic < 2; automatic++) {
        checkCudaErrors(cudaMemcpy(dArray, array, count * sizeof(int), cudaMemcpyHostToDevice));
        fine &= launchConfig(dArray, count, automatic);
        int *back = new int[count];
        checkCudaErrors(cudaMemcpy(back, dArray, count * sizeof(int), cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; i++)
            fine &= back[i] == i * i;
        delete[] back;
    }
    checkCudaErrors(cudaFree(dArray));
    delete[] array;
    std::cout << (fine ? "PASS" : "FAIL") << std::endl;
    return !fine;
}
