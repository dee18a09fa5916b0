// expect: right
// manner: NVIDIA's samples
#include <cuda_pipeline.h>
#include <cstdio>
__global__ void k(const int *in, int *out)
{
    __shared__ int s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
int main()
{
    int h[64], *a, *b;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(a, b);
    cudaMemcpy(h, b, 256, cudaMemcpyDeviceToHost);
    puts(h[0] == 63 ? "PASS" : "FAIL");
}
