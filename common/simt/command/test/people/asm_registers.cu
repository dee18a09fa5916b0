// expect: right
// manner: inline PTX
#include <cstdio>
__device__ __forceinline__ unsigned lane()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}
__device__ int add3(int a, int b, int c)
{
    int d;
    asm("{\n\t.reg .s32 t;\n\tadd.s32 t, %1, %2;\n\tadd.s32 %0, t, %3;\n\t}"
        : "=r"(d)
        : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ unsigned smid()
{
    unsigned s;
    asm("mov.u32 %0, %smid;" : "=r"(s));
    return s;
}
__global__ void __launch_bounds__(128, 2) k(int *o, float *f)
{
    o[threadIdx.x] = add3(lane(), threadIdx.x, 1);
    unsigned x;
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(x) : "r"(0xabcd));
    o[threadIdx.x] += x;
    float y;
    asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"((float)lane() / 4));
    f[threadIdx.x] = y;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(f));
    asm volatile("st.global.cs.s32 [%0], %1;" ::"l"(o + 128 + threadIdx.x), "r"((int)smid() * 0 + 3)
                 : "memory");
    int p;
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 5; @p mov.s32 %0, 1; @!p mov.s32 %0, 0; }"
                 : "=r"(p)
                 : "r"((int)threadIdx.x));
    o[256 + threadIdx.x] = p;
}
int main()
{
    int *d, h[384];
    float *f, g[128];
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&f, sizeof g);
    k<<<1, 128>>>(d, f);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(g, f, sizeof g, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < 128; i++)
        bad += h[i] != i % 32 + i + 1 + 0xbc || fabs(g[i] - exp2(i % 32 / 4.)) > 1e-3 ||
               h[128 + i] != 3 || h[256 + i] != (i > 5);
    cudaFree(d);
    cudaFree(f);
    puts(bad ? "FAIL" : "PASS");
}
