// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <helper_cuda.h>
#define LOG2_WARP_SIZE         5U
#define WARP_SIZE              (1U << LOG2_WARP_SIZE)
#define WARP_COUNT             4
#define HISTOGRAM256_BIN_COUNT 256
#define UINT_BITS              32
typedef unsigned int uint;
typedef unsigned char uchar;
#define TAG_MASK 0xFFFFFFFFU

inline __device__ void addByte(uint *s_WarpHist, uint data, uint)
{
    atomicAdd(s_WarpHist + data, 1);
}
inline __device__ void addWord(uint *s_WarpHist, uint data, uint tag)
{
    addByte(s_WarpHist, (data >> 0) & 0xFFU, tag);
    addByte(s_WarpHist, (data >> 8) & 0xFFU, tag);
    addByte(s_WarpHist, (data >> 16) & 0xFFU, tag);
    addByte(s_WarpHist, (data >> 24) & 0xFFU, tag);
}
#define UMUL(a, b)    ((a) * (b))
#define UMAD(a, b, c) (UMUL((a), (b)) + (c))

__global__ void histogram256Kernel(uint *d_PartialHistograms, uint *d_Data, uint dataCount)
{
    __shared__ uint s_Hist[WARP_COUNT * HISTOGRAM256_BIN_COUNT];
    uint *s_WarpHist = s_Hist + (threadIdx.x >> LOG2_WARP_SIZE) * HISTOGRAM256_BIN_COUNT;
#pragma unroll
    for (uint i = 0; i < HISTOGRAM256_BIN_COUNT / WARP_SIZE; i++)
        s_Hist[threadIdx.x + i * WARP_COUNT * WARP_SIZE] = 0;
    const uint tag = threadIdx.x << (UINT_BITS - LOG2_WARP_SIZE);
    __syncthreads();
    for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount;
         pos += UMUL(blockDim.x, gridDim.x))
        addWord(s_WarpHist, d_Data[pos], tag);
    __syncthreads();
    for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += WARP_COUNT * WARP_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < WARP_COUNT; i++)
            sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT] & TAG_MASK;
        d_PartialHistograms[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = sum;
    }
}

__global__ void mergeHistogram256Kernel(uint *d_Histogram, uint *d_Partial, uint count)
{
    uint sum = 0;
    __shared__ uint data[64];
    for (uint i = threadIdx.x; i < count; i += 64)
        sum += d_Partial[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
    data[threadIdx.x] = sum;
    for (uint stride = 32; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            data[threadIdx.x] += data[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        d_Histogram[blockIdx.x] = data[0];
}

int main()
{
    const uint bytes = 20000, partials = 6;
    uchar *h_Data = (uchar *)malloc(bytes);
    uint h_Hist[256] = { 0 }, gpu[256], *d_Hist, *d_Partial;
    uchar *d_Data;
    for (uint i = 0; i < bytes; i++)
        h_Hist[h_Data[i] = (uchar)(i * i >> 3)]++;
    checkCudaErrors(cudaMalloc((void **)&d_Data, bytes));
    checkCudaErrors(cudaMalloc((void **)&d_Hist, sizeof h_Hist));
    checkCudaErrors(cudaMalloc((void **)&d_Partial, partials * sizeof h_Hist));
    checkCudaErrors(cudaMemcpy(d_Data, h_Data, bytes, cudaMemcpyHostToDevice));
    histogram256Kernel<<<partials, WARP_COUNT * WARP_SIZE>>>(d_Partial, (uint *)d_Data, bytes / 4);
    mergeHistogram256Kernel<<<256, 64>>>(d_Hist, d_Partial, partials);
    getLastCudaError("histogram failed");
    checkCudaErrors(cudaMemcpy(gpu, d_Hist, sizeof gpu, cudaMemcpyDeviceToHost));
    int wrong = memcmp(gpu, h_Hist, sizeof gpu);
    free(h_Data);
    checkCudaErrors(cudaFree(d_Data));
    checkCudaErrors(cudaFree(d_Hist));
    checkCudaErrors(cudaFree(d_Partial));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
