// flags: -arch=sm_80 -O3 -lineinfo -Xcompiler -Wall -lm -lcudart
/*
 * reduction.cu: Mark Harris's reductions, with the options that a makefile for nvcc has.
 */
#include <stdio.h>
#include <stdlib.h>
typedef int T;
__global__ void reduce0(T *g_idata, T *g_odata)
{
    extern __shared__ T sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__global__ void reduce1(T *g_idata, T *g_odata)
{
    extern __shared__ T sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__global__ void reduce3(T *g_idata, T *g_odata)
{
    extern __shared__ T sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
template <unsigned blockSize>
__device__ void warpReduce(volatile T *sdata, unsigned tid)
{
    T v = sdata[tid];
    if (blockSize >= 64) {
        v += sdata[tid + 32];
        __syncwarp();
        sdata[tid] = v;
        __syncwarp();
    }
    if (blockSize >= 32) {
        v += sdata[tid + 16];
        __syncwarp();
        sdata[tid] = v;
        __syncwarp();
    }
    v += sdata[tid + 8];
    __syncwarp();
    sdata[tid] = v;
    __syncwarp();
    v += sdata[tid + 4];
    __syncwarp();
    sdata[tid] = v;
    __syncwarp();
    v += sdata[tid + 2];
    __syncwarp();
    sdata[tid] = v;
    __syncwarp();
    v += sdata[tid + 1];
    __syncwarp();
    sdata[tid] = v;
}
template <unsigned blockSize>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned n)
{
    extern __shared__ T sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid, gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i] + g_idata[i + blockSize];
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256)
            sdata[tid] += sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] += sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] += sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32)
        warpReduce<blockSize>(sdata, tid);
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__inline__ __device__ T warpReduceSum(T val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__inline__ __device__ T blockReduceSum(T val)
{
    static __shared__ T shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}
__global__ void reduce7(T *in, T *out, int N)
{
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
int main()
{
    const int n = 1 << 16;
    T *h = (T *)malloc(n * sizeof(T)), want = 0, *d, *o;
    for (int i = 0; i < n; i++)
        want += h[i] = rand() % 10 - 3;
    cudaMalloc(&d, n * sizeof(T));
    cudaMalloc(&o, 1024 * sizeof(T));
    cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice);
    int bad = 0;
    T r[1024];
    for (int k = 0; k < 5; k++) {
        int blocks = k < 2 ? n / 256 : k == 2 ? n / 512 : 16;
        cudaMemset(o, 0, 1024 * sizeof(T));
        switch (k) {
        case 0:
            reduce0<<<blocks, 256, 256 * sizeof(T)>>>(d, o);
            break;
        case 1:
            reduce1<<<blocks, 256, 256 * sizeof(T)>>>(d, o);
            break;
        case 2:
            reduce3<<<blocks, 256, 256 * sizeof(T)>>>(d, o);
            break;
        case 3:
            reduce6<256><<<blocks, 256, 256 * sizeof(T)>>>(d, o, n);
            break;
        case 4:
            reduce7<<<16, 256>>>(d, o, n);
            blocks = 1;
        }
        cudaMemcpy(r, o, blocks * sizeof(T), cudaMemcpyDeviceToHost);
        T s = 0;
        for (int i = 0; i < blocks; i++)
            s += r[i];
        if (s != want) {
            printf("variant %d: %d not %d\n", k, s, want);
            bad++;
        }
    }
    printf("%s\n", bad ? "FAIL" : "PASS");
    cudaFree(d);
    cudaFree(o);
}
