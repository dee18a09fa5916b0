// expect: right
// manner: warp intrinsics
#include <cstdio>
__device__ __forceinline__ unsigned lanemask_lt()
{
    unsigned m;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
    return m;
}
__global__ void compact(const unsigned *in, unsigned *out, unsigned *counts, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
    bool keep = i < n && __popc(v) > 4;
    unsigned votes = __ballot_sync(~0u, keep), rank = __popc(votes & lanemask_lt());
    unsigned warp = umin(i / 32, n / 32);
    if (keep)
        out[warp * 32 + rank] = v;
    if ((threadIdx.x & 31) == 0)
        counts[warp] = __popc(votes);
}
int main()
{
    const unsigned n = 512;
    unsigned h[n], o[n], c[n / 32], *a, *b, *k, wrong = 0;
    for (unsigned i = 0; i < n; i++)
        h[i] = i * 2654435761u >> 20;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&k, sizeof c);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(b, 0, sizeof h);
    compact<<<4, 128>>>(a, b, k, n);
    cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost);
    cudaMemcpy(c, k, sizeof c, cudaMemcpyDeviceToHost);
    for (unsigned w = 0; w < n / 32; w++) {
        unsigned at = 0;
        for (unsigned i = w * 32; i < w * 32 + 32; i++)
            if (__builtin_popcount(h[i]) > 4)
                wrong += o[w * 32 + at++] != h[i];
        wrong += at != c[w];
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(k);
    puts(wrong ? "FAIL" : "PASS");
}
