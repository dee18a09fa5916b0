// expect: right
// manner: half precision
// flags: -arch=sm_90
#include <cuda_fp16.h>
#include <cstdio>
__global__ void histogram(const unsigned char *v, __half *bins, __half2 *pairs, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&bins[v[i]], __half(1));
    atomicAdd(&pairs[v[i] / 2],
              __halves2half2(__int2half_rn(v[i] % 2 == 0), __int2half_rn(v[i] % 2)));
}
int main()
{
    const int n = 600;
    unsigned char h[n], *d;
    int count[8] = { 0 }, wrong = 0;
    for (int i = 0; i < n; i++)
        count[h[i] = i * i % 8]++;
    __half *bins, hb[8];
    __half2 *pairs, hp[4];
    cudaMalloc(&d, n);
    cudaMalloc(&bins, sizeof hb);
    cudaMalloc(&pairs, sizeof hp);
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof hb);
    cudaMemset(pairs, 0, sizeof hp);
    histogram<<<3, 256>>>(d, bins, pairs, n);
    cudaMemcpy(hb, bins, sizeof hb, cudaMemcpyDeviceToHost);
    cudaMemcpy(hp, pairs, sizeof hp, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        wrong += (float)hb[i] != count[i] || (float)(i % 2 ? hp[i / 2].y : hp[i / 2].x) != count[i];
    cudaFree(d);
    cudaFree(bins);
    cudaFree(pairs);
    puts(wrong ? "FAIL" : "PASS");
}
