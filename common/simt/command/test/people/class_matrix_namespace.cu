// expect: right
// manner: templates and classes
// flags: -std=c++14
#include <chrono>
#include <cmath>
#include <iostream>
namespace linalg
{
template <typename T, int R, int C> class Matrix
{
    T v[R][C];

  public:
    __host__ __device__ T &operator()(int r, int c) { return v[r][c]; }
    __host__ __device__ const T &operator()(int r, int c) const { return v[r][c]; }
    template <int K> __host__ __device__ Matrix<T, R, K> operator*(const Matrix<T, C, K> &o) const
    {
        Matrix<T, R, K> m;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < K; j++) {
                T s = 0;
                for (int k = 0; k < C; k++)
                    s += v[i][k] * o(k, j);
                m(i, j) = s;
            }
        return m;
    }
};
__global__ void multiply_all(const Matrix<int, 3, 2> *a, const Matrix<int, 2, 3> *b,
                             Matrix<int, 3, 3> *c, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    c[i] = a[i] * b[i];
}
}    // namespace linalg
using namespace linalg;
int main()
{
    auto begin = std::chrono::high_resolution_clock::now();
    constexpr int n = 50;
    Matrix<int, 3, 2> *a;
    Matrix<int, 2, 3> *b;
    Matrix<int, 3, 3> *c;
    cudaMallocManaged(&a, n * sizeof *a);
    cudaMallocManaged(&b, n * sizeof *b);
    cudaMallocManaged(&c, n * sizeof *c);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 6; k++) {
            a[i](k / 2, k % 2) = i + k;
            b[i](k / 3, k % 3) = i - k;
        }
    multiply_all<<<dim3(2), dim3(32)>>>(a, b, c, n);
    cudaDeviceSynchronize();
    bool fine = true;
    for (int i = 0; i < n; i++) {
        auto m = a[i] * b[i];
        for (int k = 0; k < 9; k++)
            fine &= m(k / 3, k % 3) == c[i](k / 3, k % 3);
    }
    std::chrono::duration<double> took = std::chrono::high_resolution_clock::now() - begin;
    fine &= took.count() >= 0 && std::isfinite(took.count());
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    std::cout << (fine ? "PASS" : "FAIL") << std::endl;
}
