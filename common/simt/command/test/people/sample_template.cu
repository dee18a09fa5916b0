// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

// dynamic shared memory of any type: an unsized array may have one type only
template <typename T> struct SharedMemory {
    __device__ T *getPointer()
    {
        extern __device__ void error(void);
        error();
        return NULL;
    }
};
template <> struct SharedMemory<int> {
    __device__ int *getPointer()
    {
        extern __shared__ int s_int[];
        return s_int;
    }
};
template <> struct SharedMemory<float> {
    __device__ float *getPointer()
    {
        extern __shared__ float s_float[];
        return s_float;
    }
};

template <class T> __global__ void testKernel(T *g_idata, T *g_odata)
{
    SharedMemory<T> smem;
    T *sdata = smem.getPointer();
    const unsigned int tid = threadIdx.x, num_threads = blockDim.x;
    sdata[tid] = g_idata[tid];
    __syncthreads();
    sdata[tid] = (T)num_threads * sdata[tid];
    __syncthreads();
    g_odata[tid] = sdata[tid];
}

template <class T> int runTest(int len)
{
    unsigned int num_threads = len, mem_size = sizeof(T) * num_threads;
    T *h_data = (T *)malloc(mem_size), *d_idata, *d_odata;
    for (unsigned int i = 0; i < num_threads; ++i)
        h_data[i] = (T)i;
    checkCudaErrors(cudaMalloc((void **)&d_idata, mem_size));
    checkCudaErrors(cudaMalloc((void **)&d_odata, mem_size));
    checkCudaErrors(cudaMemcpy(d_idata, h_data, mem_size, cudaMemcpyHostToDevice));
    testKernel<T><<<dim3(1, 1, 1), dim3(num_threads, 1, 1), mem_size>>>(d_idata, d_odata);
    getLastCudaError("Kernel execution failed");
    checkCudaErrors(cudaMemcpy(h_data, d_odata, mem_size, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (unsigned int i = 0; i < num_threads; ++i)
        wrong += h_data[i] != (T)(i * num_threads);
    free(h_data);
    checkCudaErrors(cudaFree(d_idata));
    checkCudaErrors(cudaFree(d_odata));
    return wrong;
}

int main()
{
    int wrong = runTest<float>(32) + runTest<int>(64);
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
