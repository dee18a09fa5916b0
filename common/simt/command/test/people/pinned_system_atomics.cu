// expect: right
// manner: page-locked memory
// flags: -std=c++17
// Host threads and a kernel count in the same places, by atomics of the system: one after the
// other, since no atomic of a GPU's is atomic with the host's where hostNativeAtomicSupported is 0.
#include <cstdio>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

enum { PLACES = 8, TIMES = 2000 };

__global__ void count(unsigned *c, int times)
{
    for (int i = 0; i < times; i++)
        atomicAdd_system(&c[(threadIdx.x + i) % PLACES], 1u);
}

static void count_on_host(unsigned *c)
{
    for (int i = 0; i < TIMES; i++)
        __atomic_fetch_add(&c[i % PLACES], 1u, __ATOMIC_SEQ_CST);
}

int main()
{
    unsigned *c, sum = 0;
    if (cudaHostAlloc(&c, PLACES * sizeof *c, cudaHostAllocMapped | cudaHostAllocPortable))
        return 1;
    for (int i = 0; i < PLACES; i++)
        c[i] = 0;
    std::vector<std::thread> threads;
    for (int round = 0; round < 2; round++) {
        for (int t = 0; t < 3; t++)
            threads.emplace_back(count_on_host, c);
        for (std::thread &t : threads)
            t.join();
        threads.clear();
        count<<<2, 64>>>(c, 100);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
    }
    for (int i = 0; i < PLACES; i++)
        sum += c[i];
    const bool good = sum == 2 * (3 * TIMES + 2 * 64 * 100);
    cudaFreeHost(c);
    puts(good ? "PASS" : "FAIL");
    return !good;
}
