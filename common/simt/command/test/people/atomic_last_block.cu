// expect: right
// manner: atomics and fences
#include <cstdio>
__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;
__device__ float calculatePartialSum(const float *array, int N)
{
    __shared__ float s[128];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        sum += array[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 64; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    return s[0];
}
__global__ void sum(const float *array, int N, volatile float *result)
{
    float partialSum = calculatePartialSum(array, N);
    if (threadIdx.x == 0) {
        result[blockIdx.x] = partialSum;
        __threadfence();
        unsigned int value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();
    if (isLastBlockDone) {
        __threadfence();
        if (threadIdx.x == 0) {
            float totalSum = 0;
            for (int b = 0; b < gridDim.x; b++)
                totalSum += result[b];
            result[0] = totalSum;
            count = 0;
        }
    }
}
int main()
{
    const int N = 5000;
    static float h[N];
    float *d, *r, out, exact = 0;
    for (int i = 0; i < N; i++)
        exact += h[i] = i % 17 - 8;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&r, 12 * 4);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int k = 0; k < 2; k++) {
        sum<<<12, 128>>>(d, N, r);
        cudaMemcpy(&out, r, 4, cudaMemcpyDeviceToHost);
        wrong += out != exact;
    }
    cudaFree(d);
    cudaFree(r);
    puts(wrong ? "FAIL" : "PASS");
}
