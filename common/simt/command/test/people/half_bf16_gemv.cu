// expect: right
// manner: half precision
// flags: -arch=sm_80
#include <cuda_bf16.h>
#include <cstdio>
#include <cstring>
__global__ void gemv(const __nv_bfloat16 *A, const nv_bfloat16 *x, float *y, __nv_bfloat16 *rounded,
                     int cols)
{
    __nv_bfloat162 pair = __float2bfloat162_rn(0.0f);
    float sum = 0;
    const __nv_bfloat162 *row = reinterpret_cast<const __nv_bfloat162 *>(A + blockIdx.x * cols);
    const __nv_bfloat162 *v = reinterpret_cast<const __nv_bfloat162 *>(x);
    for (int c = threadIdx.x; c < cols / 2; c += warpSize) {
        pair = __hfma2(row[c], v[c], pair);
        float2 a = __bfloat1622float2(row[c]), b = __bfloat1622float2(v[c]);
        sum += a.x * b.x + a.y * b.y;
    }
    __nv_bfloat16 low = pair.x + pair.y;
    for (int o = 16; o; o >>= 1) {
        sum += __shfl_down_sync(~0u, sum, o);
        low = __hadd(low, __shfl_down_sync(~0u, low, o));
    }
    if (threadIdx.x == 0) {
        y[blockIdx.x] = sum;
        rounded[blockIdx.x] = low;
    }
}
int main()
{
    const int rows = 6, cols = 128;
    __nv_bfloat16 hA[rows * cols], hx[cols], hr[rows], *A, *x, *r;
    float hy[rows], *y;
    int wrong = 0;
    for (int i = 0; i < rows * cols; i++)
        hA[i] = __float2bfloat16((float)(i % 7 - 3));
    for (int i = 0; i < cols; i++)
        hx[i] = __nv_bfloat16((i % 5) * 0.5f);
    cudaMalloc(&A, sizeof hA);
    cudaMalloc(&x, sizeof hx);
    cudaMalloc(&y, sizeof hy);
    cudaMalloc(&r, sizeof hr);
    cudaMemcpy(A, hA, sizeof hA, cudaMemcpyHostToDevice);
    cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
    gemv<<<rows, 32>>>(A, x, y, r, cols);
    cudaMemcpy(hy, y, sizeof hy, cudaMemcpyDeviceToHost);
    cudaMemcpy(hr, r, sizeof hr, cudaMemcpyDeviceToHost);
    for (int k = 0; k < rows; k++) {
        float s = 0;
        for (int i = 0; i < cols; i++)
            s += (k * cols + i) % 7 * 0.5f * (i % 5) - 1.5f * (i % 5);
        wrong += hy[k] != s || fabsf(__bfloat162float(hr[k]) - s) > 1;
    }
    cudaFree(A);
    cudaFree(x);
    cudaFree(y);
    cudaFree(r);
    puts(wrong ? "FAIL" : "PASS");
}
