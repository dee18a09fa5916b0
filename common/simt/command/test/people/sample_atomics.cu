// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <helper_cuda.h>

__global__ void testKernel(int *g_odata)
{
    const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g_odata[0], 10);
    atomicSub(&g_odata[1], 10);
    atomicExch(&g_odata[2], tid);
    atomicMax(&g_odata[3], tid);
    atomicMin(&g_odata[4], tid);
    atomicInc((unsigned int *)&g_odata[5], 17);
    atomicDec((unsigned int *)&g_odata[6], 137);
    atomicCAS(&g_odata[7], tid - 1, tid);
    atomicAnd(&g_odata[8], 2 * tid + 7);
    atomicOr(&g_odata[9], 1 << tid);
    atomicXor(&g_odata[10], tid);
}

static int computeGold(int *gpuData, const int len)
{
    int add = 0, sub = 0, band = 0xff, bor = 0, bxor = 0xff;
    unsigned inc = 0, dec = 0;
    for (int i = 0; i < len; ++i) {
        add += 10;
        sub -= 10;
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
        band &= 2 * i + 7;
        bor |= 1 << (i & 31);
        bxor ^= i;
    }
    return gpuData[0] == add && gpuData[1] == sub && gpuData[2] >= 0 && gpuData[2] < len &&
           gpuData[3] == len - 1 && gpuData[4] == 0 && gpuData[5] == (int)inc &&
           gpuData[6] == (int)dec && gpuData[7] < len && gpuData[8] == band && gpuData[9] == bor &&
           gpuData[10] == bxor;
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    // 32 threads, so that no shift is wider than the word
    unsigned int numThreads = 16, numBlocks = 2, numData = 11, memSize = sizeof(int) * numData;
    int *hOData, *dOData;
    checkCudaErrors(cudaMallocHost(&hOData, memSize));
    for (unsigned int i = 0; i < numData; i++)
        hOData[i] = 0;
    hOData[8] = hOData[10] = 0xff;
    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaMalloc((void **)&dOData, memSize));
    checkCudaErrors(cudaMemcpyAsync(dOData, hOData, memSize, cudaMemcpyHostToDevice, stream));
    testKernel<<<numBlocks, numThreads, 0, stream>>>(dOData);
    checkCudaErrors(cudaMemcpyAsync(hOData, dOData, memSize, cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    int fine = computeGold(hOData, numThreads * numBlocks);
    checkCudaErrors(cudaFreeHost(hOData));
    checkCudaErrors(cudaFree(dOData));
    checkCudaErrors(cudaStreamDestroy(stream));
    puts(fine ? "PASS" : "FAIL");
    return 0;
}
