#include <stdlib.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

extern "C" void computeGold(char *reference, char *idata, const unsigned int len)
{
    for (unsigned i = 0; i < len; i++)
        reference[i] = idata[i] - 10;
}

__global__ void kernel(int *g_data)
{
    const unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int data = g_data[tid];    // four characters at once
    g_data[tid] = ((((data << 0) >> 24) - 10) << 24) |
                  ((((data << 8) >> 24) - 10) << 16 & 0xff0000) |
                  ((((data << 16) >> 24) - 10) << 8 & 0xff00) | (((data << 24) >> 24) - 10 & 0xff);
}

__global__ void kernel2(int2 *g_data)
{
    const unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int2 data = g_data[tid];
    g_data[tid].x = data.x - data.y;
}

extern "C" bool runTest(const int argc, const char **argv, char *data, int2 *data_int2,
                        unsigned int len)
{
    findCudaDevice(argc, argv);
    const unsigned int mem_size = sizeof(char) * len, mem_size_int2 = sizeof(int2) * len;
    char *d_data, *reference = (char *)malloc(mem_size);
    int2 *d_data_int2;
    checkCudaErrors(cudaMalloc((void **)&d_data, mem_size));
    checkCudaErrors(cudaMemcpy(d_data, data, mem_size, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMalloc((void **)&d_data_int2, mem_size_int2));
    checkCudaErrors(cudaMemcpy(d_data_int2, data_int2, mem_size_int2, cudaMemcpyHostToDevice));
    kernel<<<1, len / 4>>>((int *)d_data);
    kernel2<<<1, len>>>(d_data_int2);
    getLastCudaError("Kernel execution failed");
    computeGold(reference, data, len);
    checkCudaErrors(cudaMemcpy(data, d_data, mem_size, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(data_int2, d_data_int2, mem_size_int2, cudaMemcpyDeviceToHost));
    bool success = memcmp(reference, data, len) == 0;
    checkCudaErrors(cudaFree(d_data));
    checkCudaErrors(cudaFree(d_data_int2));
    free(reference);
    return success;
}
