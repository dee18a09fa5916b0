// expect: right
// manner: warp intrinsics
#include <algorithm>
#include <cstdio>
__device__ int exchange(int mine, int mask, bool up)
{
    int other = __shfl_xor_sync(0xffffffff, mine, mask);
    bool low = (threadIdx.x & mask) == 0;
    return low == up ? min(mine, other) : max(mine, other);
}
__global__ void sort_warps(int *a)
{
    int v = a[blockIdx.x * 32 + threadIdx.x];
#pragma unroll
    for (int k = 2; k <= 32; k <<= 1)
#pragma unroll
        for (int j = k / 2; j; j >>= 1)
            v = exchange(v, j, (threadIdx.x & k) == 0);
    a[blockIdx.x * 32 + threadIdx.x] = v;
}
int main()
{
    int h[256], o[256], *d;
    for (int i = 0; i < 256; i++)
        h[i] = (i * 7919 + 13) % 501 - 250;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sort_warps<<<8, 32>>>(d);
    cudaMemcpy(o, d, sizeof o, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 8; w++)
        std::sort(h + 32 * w, h + 32 * w + 32);
    cudaFree(d);
    puts(std::equal(h, h + 256, o) ? "PASS" : "FAIL");
}
