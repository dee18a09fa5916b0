// expect: right
// manner: host threads
// Each host thread has an error of its own (cudaGetLastError), and a stream of its own
// (cudaStreamPerThread); what one thread allocates and fills, another one uses; a thread ends with
// work under way.
#include <cstdio>
#include <thread>

#include <cuda_runtime.h>

__global__ void fill(int *a, int n, int v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = v + i;
}

__global__ void add(int *a, const int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i];
}

static bool fails(int id)
{
    bool good = true;
    for (int round = 0; round < 20; round++) {
        if (id % 2) {
            good &= cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyHostToDevice) != cudaSuccess;
            good &= cudaPeekAtLastError() != cudaSuccess;
            good &= cudaGetLastError() != cudaSuccess;
        }
        good &= cudaGetLastError() == cudaSuccess;
        std::this_thread::yield();
    }
    return good;
}

int main()
{
    const int n = 1000;
    bool good[4] = {};
    std::thread errors[4];
    for (int i = 0; i < 4; i++)
        errors[i] = std::thread([i, &good] { good[i] = fails(i); });
    for (std::thread &t : errors)
        t.join();

    int *a = nullptr, *b = nullptr, *h = new int[n];
    std::thread one([&] {    // ends with work under way on its own stream
        cudaMalloc(&a, n * sizeof(int));
        fill<<<4, 256, 0, cudaStreamPerThread>>>(a, n, 1);
    });
    std::thread two([&] {
        cudaMalloc(&b, n * sizeof(int));
        fill<<<4, 256, 0, cudaStreamPerThread>>>(b, n, 100);
        cudaStreamSynchronize(cudaStreamPerThread);
    });
    one.join();
    two.join();
    cudaDeviceSynchronize();
    add<<<4, 256>>>(a, b, n);
    cudaError_t err = cudaMemcpy(h, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    bool all = err == cudaSuccess && cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++)
        all &= h[i] == 101 + 2 * i;
    for (bool g : good)
        all &= g;
    cudaFree(a);
    cudaFree(b);
    delete[] h;
    std::puts(all ? "PASS" : "FAIL");
    return !all;
}
