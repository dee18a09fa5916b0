// expect: right
// manner: warp intrinsics
#include <cstdio>
#include <cstdlib>
__global__ void count_keys(const int *keys, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n)
        return;
    unsigned same = __match_any_sync(active, keys[i]);
    if (__ffs(same) - 1 == (int)(threadIdx.x % warpSize))
        atomicAdd(&bins[keys[i]], __popc(same));
    int all;
    unsigned m = __match_all_sync(active, keys[i] >= 0, &all);
    if (!all || m != active)
        atomicAdd(&bins[16], 1);
}
int main()
{
    const int n = 777;
    int h[n], c[17] = { 0 }, o[17], *k, *b;
    for (int i = 0; i < n; i++)
        c[h[i] = (i * i + i / 3) % 16]++;
    cudaMalloc((void **)&k, sizeof h);
    cudaMalloc((void **)&b, sizeof o);
    cudaMemcpy(k, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(b, 0, sizeof o);
    count_keys<<<(n + 255) / 256, 256>>>(k, b, n);
    cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost);
    cudaFree(k);
    cudaFree(b);
    puts(memcmp(c, o, sizeof o) ? "FAIL" : "PASS");
    return EXIT_SUCCESS;
}
