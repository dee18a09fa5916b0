// expect: right
// manner: half precision
// flags: -I Common -arch=sm_80
#include "cuda_fp16.h"
#include "helper_cuda.h"
#define NUM_OF_BLOCKS  8
#define NUM_OF_THREADS 128
__forceinline__ __device__ void reduceInShared_native(half2 *const v)
{
    for (int i = NUM_OF_THREADS / 2; i > 0; i /= 2) {
        if (threadIdx.x < i)
            v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x + i];
        __syncthreads();
    }
}
template <bool native>
__global__ void scalarProductKernel(half2 const *const a, half2 const *const b,
                                    float *const results, size_t const size)
{
    const int stride = gridDim.x * blockDim.x;
    __shared__ half2 shArray[NUM_OF_THREADS];
    half2 value = __float2half2_rn(0.f);
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += stride)
        value = native ? a[i] * b[i] + value : __hfma2(a[i], b[i], value);
    shArray[threadIdx.x] = value;
    __syncthreads();
    if (native)
        reduceInShared_native(shArray);
    else {
        for (int i = NUM_OF_THREADS / 2; i > 0; i /= 2) {
            half2 other = threadIdx.x < i ? shArray[threadIdx.x + i] : value;
            __syncthreads();
            if (threadIdx.x < i)
                shArray[threadIdx.x] = __hadd2(shArray[threadIdx.x], other);
            __syncthreads();
        }
    }
    if (threadIdx.x == 0) {
        half2 result = shArray[0];
        results[blockIdx.x] = (float)result.y + __low2float(result);
    }
}
int main(int argc, char *argv[])
{
    const size_t size = NUM_OF_BLOCKS * NUM_OF_THREADS * 2;
    half2 *vec[2], *devVec[2];
    float *results, *devResults, sum[2] = { 0, 0 }, exact = 0;
    checkCudaErrors(cudaSetDevice(findCudaDevice(argc, (const char **)argv)));
    for (int i = 0; i < 2; ++i) {
        checkCudaErrors(cudaMallocHost((void **)&vec[i], size * sizeof *vec[i]));
        checkCudaErrors(cudaMalloc((void **)&devVec[i], size * sizeof *devVec[i]));
        for (size_t k = 0; k < size; ++k) {
            half2 temp;
            temp.x = static_cast<float>((k + i) % 4);
            temp.y = static_cast<float>(k % 3);
            vec[i][k] = temp;
        }
        checkCudaErrors(
            cudaMemcpy(devVec[i], vec[i], size * sizeof *vec[i], cudaMemcpyHostToDevice));
    }
    for (size_t k = 0; k < size; k++)
        exact += (float)vec[0][k].x * (float)vec[1][k].x +
                 __high2float(vec[0][k]) * __high2float(vec[1][k]);
    checkCudaErrors(cudaMallocHost((void **)&results, NUM_OF_BLOCKS * sizeof *results));
    checkCudaErrors(cudaMalloc((void **)&devResults, NUM_OF_BLOCKS * sizeof *devResults));
    for (int k = 0; k < 2; k++) {
        if (k)
            scalarProductKernel<true>
                <<<NUM_OF_BLOCKS, NUM_OF_THREADS>>>(devVec[0], devVec[1], devResults, size);
        else
            scalarProductKernel<false>
                <<<NUM_OF_BLOCKS, NUM_OF_THREADS>>>(devVec[0], devVec[1], devResults, size);
        checkCudaErrors(cudaMemcpy(results, devResults, NUM_OF_BLOCKS * sizeof *results,
                                   cudaMemcpyDeviceToHost));
        for (int i = 0; i < NUM_OF_BLOCKS; ++i)
            sum[k] += results[i];
    }
    printf("Result native operators: %f, intrinsics: %f, exact %f\n", sum[1], sum[0], exact);
    for (int i = 0; i < 2; ++i) {
        checkCudaErrors(cudaFree(devVec[i]));
        checkCudaErrors(cudaFreeHost(vec[i]));
    }
    checkCudaErrors(cudaFree(devResults));
    checkCudaErrors(cudaFreeHost(results));
    puts(sum[0] == sum[1] && fabs(sum[0] - exact) < 0.001f * exact ? "PASS" : "FAIL");
    return EXIT_SUCCESS;
}
