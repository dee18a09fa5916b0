// expect: right
// manner: templates and classes
// flags: --extended-lambda -std=c++17
#include <cstdio>
#include <type_traits>
template <typename F> __global__ void launch(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
template <typename F> void parallel_for(int n, F f) { launch<<<(n + 127) / 128, 128>>>(n, f); }
template <typename... Ts> __global__ void fill(int n, Ts *...p)
{
    int i = threadIdx.x;
    if (i < n)
        ((p[i] = Ts(i)), ...);
}
template <typename T> __device__ T twice(T x)
{
    if constexpr (std::is_integral_v<T>)
        return x << 1;
    else
        return x + x;
}
constexpr int fib(int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }
int main()
{
    int *a;
    float *b;
    double *c;
    cudaMallocManaged(&a, 400);
    cudaMallocManaged(&b, 400);
    cudaMallocManaged(&c, 800);
    fill<<<1, 128>>>(100, a, b, c);
    const float scale = 3;
    parallel_for(100, [=] __device__(int i) {
        a[i] = twice(a[i]) + fib(10);
        b[i] = twice(b[i]) * scale;
    });
    parallel_for(100, [=] __host__ __device__(int i) { c[i] -= a[i]; });
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 100; i++)
        wrong += a[i] != 2 * i + 55 || b[i] != 6.0f * i || c[i] != -i - 55.0;
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    puts(wrong ? "FAIL" : "PASS");
}
