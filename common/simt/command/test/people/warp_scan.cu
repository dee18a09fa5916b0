// expect: right
// manner: warp intrinsics
#include <cstdio>
#define FULL_MASK 0xffffffff
__device__ int warp_inclusive(int v)
{
    int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        int o = __shfl_up_sync(FULL_MASK, v, d);
        if (lane >= d)
            v += o;
    }
    return v;
}
__global__ void block_scan(const int *in, int *out, int n)
{
    __shared__ int warps[32];
    int i = threadIdx.x, v = i < n ? in[i] : 0, s = warp_inclusive(v), wid = i >> 5, lane = i & 31;
    if (lane == 31)
        warps[wid] = s;
    __syncthreads();
    if (wid == 0) {
        int w = lane < blockDim.x / 32 ? warps[lane] : 0;
        warps[lane] = warp_inclusive(w) - w;
    }
    __syncthreads();
    if (i < n)
        out[i] = s + warps[wid] - v;
}
int main()
{
    const int n = 1000;
    int h[n], o[n], *a, *b, wrong = 0;
    for (int i = 0; i < n; i++)
        h[i] = (i * 7919) % 23 - 11;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    block_scan<<<1, 1024>>>(a, b, n);
    cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost);
    for (int i = 0, s = 0; i < n; s += h[i++])
        wrong += o[i] != s;
    cudaFree(a);
    cudaFree(b);
    puts(wrong ? "FAIL" : "PASS");
}
