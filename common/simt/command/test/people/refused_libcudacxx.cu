// expect: refused | is not offered: take atomicAdd and its kin
// manner: atomics and fences
#include <cuda/atomic>
#include <cuda/std/array>
#include <cstdio>
__global__ void k(int *c)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> a(*c);
    a.fetch_add(1, cuda::memory_order_relaxed);
}
int main()
{
    int *c, h;
    cudaMalloc(&c, 4);
    cudaMemset(c, 0, 4);
    k<<<4, 64>>>(c);
    cudaMemcpy(&h, c, 4, cudaMemcpyDeviceToHost);
    puts(h == 256 ? "PASS" : "FAIL");
}
