// expect: right
// manner: streams and events
#include <cstdint>
#include <cstdio>
__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }
int main()
{
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    uint64_t th = UINT64_MAX;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th);
    cudaStream_t s;
    cudaStreamCreate(&s);
    int *p, h[32];
    cudaMallocAsync(&p, 128, s);
    k<<<1, 32, 0, s>>>(p);
    cudaMemcpyAsync(h, p, 128, cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(p, s);
    cudaStreamSynchronize(s);
    puts(h[31] == 31 ? "PASS" : "FAIL");
}
