// expect: right
// manner: inline PTX
#include <cstdio>
#include <cstdint>
__device__ __forceinline__ unsigned lane_id()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}
__device__ __forceinline__ unsigned bfe(unsigned x, unsigned pos, unsigned len)
{
    unsigned r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(pos), "r"(len));
    return r;
}
template <int table> __device__ unsigned lop3(unsigned a, unsigned b, unsigned c)
{
    unsigned r;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(table));
    return r;
}
__device__ __forceinline__ float ld_cg(const float *p)
{
    float v;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
    return v;
}
__global__ void k(const float *in, unsigned *out)
{
    unsigned l = lane_id(), i = threadIdx.x, x = __float_as_uint(ld_cg(in + i)), smem, prefetched;
    __shared__ uint32_t tile[64];
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
        : "=r"(smem)
        : "l"(&tile[i]));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(smem), "r"(x) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
    prefetched = tile[i ^ 1];
    out[3 * i] = bfe(x, 23, 8);
    out[3 * i + 1] = lop3<0x96>(x, prefetched, l);
    out[3 * i + 2] = lop3<0xe8>(x, prefetched, ~l);
}
int main()
{
    float h[64], *d;
    unsigned o[192], *e, wrong = 0;
    for (int i = 0; i < 64; i++)
        h[i] = i * 1.25f + 1;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&e, sizeof o);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(d, e);
    cudaMemcpy(o, e, sizeof o, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 64; i++) {
        unsigned x, y, l = i % 32, n = ~l;
        __builtin_memcpy(&x, &h[i], 4);
        __builtin_memcpy(&y, &h[i ^ 1], 4);
        wrong += o[3 * i] != (x >> 23 & 255) || o[3 * i + 1] != (x ^ y ^ l) ||
                 o[3 * i + 2] != ((x & y) | (x & n) | (y & n));
    }
    cudaFree(d);
    cudaFree(e);
    puts(wrong ? "FAIL" : "PASS");
}
