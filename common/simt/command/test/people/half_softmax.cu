// expect: right
// manner: half precision
#include <cuda_fp16.h>
#include <cmath>
#include <cstdio>
#include <vector>
template <typename T> __inline__ __device__ T warp_max(T v)
{
    for (int m = 16; m > 0; m >>= 1)
        v = __hmax(v, __shfl_xor_sync(0xffffffff, v, m));
    return v;
}
__inline__ __device__ float warp_sum(float v)
{
    for (int m = 16; m > 0; m >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, m, 32);
    return v;
}
__global__ void softmax(const __half *in, __half *out, int cols)
{
    const __half *row = in + blockIdx.x * cols;
    __half top = __float2half_rn(-65504.f);
    for (int c = threadIdx.x; c < cols; c += 32)
        top = __hgt(row[c], top) ? row[c] : top;
    top = warp_max(top);
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32)
        sum += __half2float(hexp(row[c] - top));
    sum = warp_sum(sum);
    for (int c = threadIdx.x; c < cols; c += 32)
        out[blockIdx.x * cols + c] = __float2half(__expf(__half2float(__hsub(row[c], top))) / sum);
}
int main()
{
    const int rows = 5, cols = 70;
    std::vector<__half> h(rows * cols), o(rows * cols);
    for (int i = 0; i < rows * cols; i++)
        h[i] = __float2half((i * 31 % 97) / 16.0f - 3);
    __half *in, *out;
    cudaMalloc(&in, h.size() * 2);
    cudaMalloc(&out, h.size() * 2);
    cudaMemcpy(in, h.data(), h.size() * 2, cudaMemcpyHostToDevice);
    softmax<<<rows, 32>>>(in, out, cols);
    cudaMemcpy(o.data(), out, o.size() * 2, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < cols; c++)
            sum += exp((double)(float)h[r * cols + c]);
        for (int c = 0; c < cols; c++)
            worst = fmax(worst,
                         fabs(exp((double)(float)h[r * cols + c]) / sum - (float)o[r * cols + c]));
    }
    cudaFree(in);
    cudaFree(out);
    printf("worst %g\n%s\n", worst, worst < 2e-4 ? "PASS" : "FAIL");
}
