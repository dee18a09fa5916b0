// expect: right
// manner: atomics and fences
#include <cstdio>
__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;
__global__ void sum(const float *array, unsigned N, volatile float *result)
{
    __shared__ float s[64];
    float v = 0;
    for (unsigned i = blockIdx.x * 64 + threadIdx.x; i < N; i += 64 * gridDim.x)
        v += array[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 32; k; k >>= 1) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        result[blockIdx.x] = s[0];
        __threadfence();
        unsigned value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();
    if (isLastBlockDone && threadIdx.x == 0) {
        float t = 0;
        for (int b = 0; b < gridDim.x; b++)
            t += result[b];
        result[0] = t;
        count = 0;
    }
}
int main()
{
    float h[1000], *d, *r, x;
    for (int i = 0; i < 1000; i++)
        h[i] = i % 10;
    cudaMalloc(&d, 4000);
    cudaMalloc(&r, 32);
    cudaMemcpy(d, h, 4000, cudaMemcpyHostToDevice);
    int bad = 0;
    for (int k = 0; k < 2; k++) {
        sum<<<8, 64>>>(d, 1000, r);
        cudaMemcpy(&x, r, 4, cudaMemcpyDeviceToHost);
        bad += x != 4500;
    }
    cudaFree(d);
    cudaFree(r);
    puts(bad ? "FAIL" : "PASS");
}
