// expect: right
// manner: half precision
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <type_traits>
template <typename T> __device__ __host__ inline float to_float(T v)
{
    return static_cast<float>(v);
}
template <typename T> __device__ inline T from_float(float v);
template <> __device__ inline float from_float<float>(float v) { return v; }
template <> __device__ inline __half from_float<__half>(float v) { return __float2half_rn(v); }
template <> __device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float v)
{
    return __float2bfloat16_rn(v);
}
template <typename T, int TILE> __global__ void gemm(const T *A, const T *B, T *C, int n)
{
    __shared__ T a[TILE][TILE], b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float acc = 0;
    for (int k = 0; k < n; k += TILE) {
        a[threadIdx.y][threadIdx.x] = A[row * n + k + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = __ldg(&B[(k + threadIdx.y) * n + col]);
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            acc += to_float(a[threadIdx.y][i]) * to_float(b[i][threadIdx.x]);
        __syncthreads();
    }
    C[row * n + col] = from_float<T>(acc);
}
template <typename T> int test()
{
    const int n = 32;
    T h[3][n * n], *d[3];
    for (int i = 0; i < n * n; i++) {
        h[0][i] = T((float)(i % 3 - 1));
        h[1][i] = T((float)(i % 5 - 2));
    }
    for (int k = 0; k < 3; k++) {
        cudaMalloc(&d[k], sizeof h[k]);
        cudaMemcpy(d[k], h[k], sizeof h[k], cudaMemcpyHostToDevice);
    }
    gemm<T, 16><<<dim3(2, 2), dim3(16, 16)>>>(d[0], d[1], d[2], n);
    cudaMemcpy(h[2], d[2], sizeof h[2], cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            float s = 0;
            for (int i = 0; i < n; i++)
                s += to_float(h[0][r * n + i]) * to_float(h[1][i * n + c]);
            wrong += s != to_float(h[2][r * n + c]);
        }
    for (int k = 0; k < 3; k++)
        cudaFree(d[k]);
    return wrong;
}
int main() { puts(test<float>() + test<__half>() + test<__nv_bfloat16>() ? "FAIL" : "PASS"); }
