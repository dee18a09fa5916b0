// expect: right
// manner: templates and classes
// flags: --extended-lambda -std=c++17
#include <cstdio>
#include <type_traits>
template <class F> __global__ void each(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        f(i);
}
template <class F> void parallel_for(int n, F f)
{
    each<<<4, 64>>>(n, f);
    cudaDeviceSynchronize();
}
template <class... A> __device__ auto sum(A... a) { return (a + ...); }
int main()
{
    const int n = 1000;
    int *x, *y;
    cudaMallocManaged(&x, n * 4);
    cudaMallocManaged(&y, n * 4);
    int k = 3;
    parallel_for(n, [=] __device__(int i) {
        x[i] = k * i;
        if constexpr (std::is_same_v<decltype(i), int>)
            y[i] = sum(i, k, 1);
    });
    parallel_for(n, [=] __host__ __device__(int i) {
        auto [a, b] = int2{ x[i], y[i] };
        x[i] = a + b;
    });
    auto twice = [] __device__(int v) { return 2 * v; };
    parallel_for(n, [=] __device__(int i) { y[i] = twice(x[i]); });
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += y[i] != 2 * (k * i + i + k + 1);
    cudaFree(x);
    cudaFree(y);
    puts(bad ? "FAIL" : "PASS");
}
