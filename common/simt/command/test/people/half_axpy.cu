// expect: right
// manner: half precision
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>
__global__ void haxpy(int n, half a, const half *x, half *y)
{
    int start = threadIdx.x + blockDim.x * blockIdx.x, stride = blockDim.x * gridDim.x;
#if __CUDA_ARCH__ >= 530
    int n2 = n / 2;
    half2 *x2 = (half2 *)x, *y2 = (half2 *)y;
    for (int i = start; i < n2; i += stride)
        y2[i] = __hfma2(__halves2half2(a, a), x2[i], y2[i]);
    if (start == 0 && (n % 2))
        y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
#else
    for (int i = start; i < n; i += stride)
        y[i] = __float2half(__half2float(a) * __half2float(x[i]) + __half2float(y[i]));
#endif
}
int main(void)
{
    const int n = 501;
    const half a = __float2half(2.0f);
    half *x = (half *)malloc(n * sizeof(half)), *y = (half *)malloc(n * sizeof(half)), *d_x, *d_y;
    for (int i = 0; i < n; i++) {
        x[i] = __float2half(1.0f);
        y[i] = __float2half((float)i);
    }
    cudaMalloc((void **)&d_x, n * sizeof(half));
    cudaMalloc((void **)&d_y, n * sizeof(half));
    cudaMemcpy(d_x, x, n * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, n * sizeof(half), cudaMemcpyHostToDevice);
    haxpy<<<2, 128>>>(n, a, d_x, d_y);
    cudaMemcpy(y, d_y, n * sizeof(half), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += __half2float(y[i]) != i + 2.0f;
    cudaFree(d_x);
    cudaFree(d_y);
    free(x);
    free(y);
    puts(wrong ? "FAIL" : "PASS");
}
