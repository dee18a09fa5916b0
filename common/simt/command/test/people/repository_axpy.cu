// expect: right
// manner: a repository's main function
#include <chrono>
#include <getopt.h>
#include <unistd.h>
#include <iostream>
#include <iomanip>
#include <memory>
#include <algorithm>
struct cuda_delete {
    void operator()(void *p) const { cudaFree(p); }
};
template <class T> using device_ptr = std::unique_ptr<T[], cuda_delete>;
template <class T> device_ptr<T> device_alloc(size_t n)
{
    T *p;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess)
        throw std::bad_alloc();
    return device_ptr<T>(p);
}
__global__ void axpy(size_t n, double a, const double *x, double *y)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n)
        y[i] = fma(a, x[i], y[i]);
}
int main(int argc, char *argv[])
{
    size_t n = 3000;
    int opt;
    while ((opt = getopt(argc, argv, "n:h")) != -1)
        switch (opt) {
        case 'n': n = strtoul(optarg, nullptr, 10); break;
        default: std::cerr << "usage\n"; return 2;
        }
    auto x = device_alloc<double>(n), y = device_alloc<double>(n);
    auto h = std::make_unique<double[]>(n);
    std::fill_n(h.get(), n, 2.0);
    cudaMemcpy(x.get(), h.get(), n * 8, cudaMemcpyHostToDevice);
    cudaMemcpy(y.get(), h.get(), n * 8, cudaMemcpyHostToDevice);
    auto t0 = std::chrono::high_resolution_clock::now();
    axpy<<<(n + 255) / 256, 256>>>(n, 3.0, x.get(), y.get());
    cudaDeviceSynchronize();
    auto dt = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::high_resolution_clock::now() - t0);
    std::cerr << std::setw(8) << dt.count() << " us\n";
    cudaMemcpy(h.get(), y.get(), n * 8, cudaMemcpyDeviceToHost);
    std::cout << (std::all_of(h.get(), h.get() + n, [](double v) { return v == 8.0; }) ? "PASS"
                                                                                       : "FAIL")
              << "\n";
}
