/*
 * symbols.cu: constant and device variables, read and written by the host.
 */
#include <stdio.h>
__constant__ float coef[5];
__device__ int counter = 7;
__device__ float table[64];
__constant__ int width;
__constant__ struct {
    int a;
    float b;
} par = {3, 2.5f};
static __device__ unsigned hits;
__device__ const float pi_digits[4] = {3, 1, 4, 1};
__global__ void poly(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = 0;
        for (int k = width - 1; k >= 0; k--)
            r = r * x[i] + coef[k];
        y[i] = r * par.b + par.a + pi_digits[i % 4];
        atomicAdd(&hits, 1);
        if (i < 64)
            table[i] = r;
    }
    if (i == 0)
        counter++;
}
int main()
{
    float c[5] = {1, 2, 3, 4, 5}, x[100], y[100], t[64];
    int w = 5, cnt;
    cudaMemcpyToSymbol(coef, c, sizeof c);
    cudaMemcpyToSymbol(width, &w, sizeof(int));
    float *dx, *dy;
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    for (int i = 0; i < 100; i++)
        x[i] = i * .01f;
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    poly<<<2, 64>>>(dx, dy, 100);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&cnt, counter, sizeof cnt);
    cudaMemcpyFromSymbol(t, table, sizeof t);
    unsigned h;
    cudaMemcpyFromSymbol(&h, hits, sizeof h);
    int bad = cnt != 8 || h != 100;
    for (int i = 0; i < 100; i++) {
        float r = 0;
        for (int k = 4; k >= 0; k--)
            r = r * x[i] + c[k];
        int dig[] = {3, 1, 4, 1};
        if (fabsf(y[i] - (r * 2.5f + 3 + dig[i % 4])) > 1e-4)
            bad++;
        if (i < 64 && fabsf(t[i] - r) > 1e-4)
            bad++;
    }
    void *addr;
    cudaGetSymbolAddress(&addr, counter);
    int z = 40;
    cudaMemcpy(addr, &z, 4, cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(&cnt, counter, 4);
    bad += cnt != 40;
    printf("%s\n", bad ? "FAIL" : "PASS");
    cudaFree(dx);
    cudaFree(dy);
}
