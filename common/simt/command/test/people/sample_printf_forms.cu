// expect: right
// manner: NVIDIA's samples
#include <cassert>
#include <cstdio>
#include <cstdint>
__global__ void k(long long *t, const char *name)
{
    long long a = clock64();
    assert(threadIdx.x < 64 && "too many");
    printf("%s %d %5.2f %-6s| %x %c %lld %llu %zu %p %e %+d %05d %%\n", "str", threadIdx.x, 1.5,
           "ab", 255, 'z', -5ll, 1ull << 40, sizeof(int), (void *)0x10, 1234.5, 3, 42);
    __nanosleep(10);
    t[threadIdx.x] = clock64() - a;
}
int main()
{
    long long *d, h[2];
    cudaMalloc(&d, 16);
    k<<<1, 2>>>(d, nullptr);
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    cudaFree(d);
    puts(h[0] > 0 && h[1] > 0 ? "PASS" : "FAIL");
}
