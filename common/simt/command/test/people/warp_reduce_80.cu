// expect: right
// manner: warp intrinsics
// flags: -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90
#include <cstdio>
__global__ void sums(const unsigned *in, unsigned *out)
{
    unsigned v = in[threadIdx.x], w = threadIdx.x / 32;
#if __CUDA_ARCH__ >= 800
    unsigned s = __reduce_add_sync(~0u, v), m = __reduce_max_sync(~0u, v),
             x = __reduce_xor_sync(~0u, v);
#else
    unsigned s = 0, m = 0, x = 0;    // never taken: -gencode asks for 8.0
#endif
    if (threadIdx.x % 32 == 0) {
        out[3 * w] = s;
        out[3 * w + 1] = m;
        out[3 * w + 2] = x;
    }
}
int main()
{
    unsigned h[128], o[12], *a, *b, wrong = 0;
    for (unsigned i = 0; i < 128; i++)
        h[i] = i * i * 31;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof o);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, 128>>>(a, b);
    cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 4; w++) {
        unsigned s = 0, m = 0, x = 0;
        for (int i = 32 * w; i < 32 * w + 32; i++) {
            s += h[i];
            m = h[i] > m ? h[i] : m;
            x ^= h[i];
        }
        wrong += o[3 * w] != s || o[3 * w + 1] != m || o[3 * w + 2] != x;
    }
    cudaFree(a);
    cudaFree(b);
    puts(wrong ? "FAIL" : "PASS");
}
