// expect: right
// manner: what nvcc takes
#include <cstdio>
#define UNROLL   #pragma unroll
#define UNROLL_4 #pragma unroll 4
__global__ void k(int *o)
{
    int s = 0;
    UNROLL
    for (int i = 0; i < 4; i++)
        s += i;
    UNROLL_4
    for (int i = 0; i < 8; i++)
        s += i;
    o[threadIdx.x] = s;
}
int main()
{
    int *d, h[32], bad = 0;
    cudaMalloc(&d, 128);
    k<<<1, 32>>>(d);
    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != 34;
    cudaFree(d);
    puts(bad ? "FAIL" : "PASS");
}
