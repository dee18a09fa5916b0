// expect: right
// manner: inline PTX
#include <stdint.h>
#include <stdio.h>
struct u128 {
    uint32_t w[4];
};
__device__ u128 add(u128 a, u128 b)
{
    u128 r;
    asm("add.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, %10;\n\taddc.u32 "
        "%3, %7, %11;"
        : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3])
        : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]),
          "r"(b.w[3]));
    return r;
}
__device__ u128 sub(u128 a, u128 b)
{
    u128 r;
    asm("sub.cc.u32 %0, %4, %8; subc.cc.u32 %1, %5, %9; subc.cc.u32 %2, %6, %10; subc.u32 %3, %7, "
        "%11;"
        : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3])
        : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]),
          "r"(b.w[3]));
    return r;
}
__global__ void all(const u128 *a, const u128 *b, u128 *s, u128 *d)
{
    int i = threadIdx.x;
    s[i] = add(a[i], b[i]);
    d[i] = sub(a[i], b[i]);
}
int main()
{
    unsigned __int128 h[2][32], o[2][32];
    u128 *d[4];
    int wrong = 0;
    for (int i = 0; i < 32; i++) {
        h[0][i] = ((unsigned __int128)i << 100) - i * 3;
        h[1][i] = ~(unsigned __int128)0 / (i + 2);
    }
    for (int k = 0; k < 4; k++)
        cudaMalloc(&d[k], sizeof h[0]);
    for (int k = 0; k < 2; k++)
        cudaMemcpy(d[k], h[k], sizeof h[k], cudaMemcpyHostToDevice);
    all<<<1, 32>>>(d[0], d[1], d[2], d[3]);
    for (int k = 0; k < 2; k++)
        cudaMemcpy(o[k], d[2 + k], sizeof o[k], cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += o[0][i] != h[0][i] + h[1][i] || o[1][i] != h[0][i] - h[1][i];
    for (int k = 0; k < 4; k++)
        cudaFree(d[k]);
    puts(wrong ? "FAIL" : "PASS");
}
