// expect: right
// manner: half precision
// flags: -arch=sm_80
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
__global__ void h2(const __half2 *x, const __half2 *y, __half2 *o, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        __half2 v = __hfma2(x[i], y[i], __float2half2_rn(1.0f));
        v = __hmax2(v, __half2half2(__ushort_as_half(0x3c00)));
        o[i] = __hmul2(v, h2sqrt(__floats2half2_rn(4.f, 9.f)));
    }
}
__global__ void bf(const __nv_bfloat16 *x, float *o)
{
    int i = threadIdx.x;
    __nv_bfloat16 s = __hadd(x[i], __float2bfloat16(0.5f));
    o[i] = __bfloat162float(s) + (float)x[i];
    half h = (half)2.5f;
    h += (half)1;
    o[i] += (float)h + __half2float(hexp2(h));
}
int main()
{
    __half2 hx[32], *x, *y, *o, r[32];
    for (int i = 0; i < 32; i++)
        hx[i] = __floats2half2_rn(i, i / 2.f);
    cudaMalloc(&x, sizeof r);
    cudaMalloc(&y, sizeof r);
    cudaMalloc(&o, sizeof r);
    cudaMemcpy(x, hx, sizeof r, cudaMemcpyHostToDevice);
    cudaMemcpy(y, hx, sizeof r, cudaMemcpyHostToDevice);
    h2<<<1, 32>>>(x, y, o, 32);
    cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < 32; i++) {
        bad += __low2float(r[i]) != 2.f * (i * i + 1);
        bad += __high2float(r[i]) !=
               __half2float(__float2half(3.f * __half2float(__float2half(i * i / 4.f + 1))));
    }
    __nv_bfloat16 hb[32], *b;
    float *f, rf[32];
    for (int i = 0; i < 32; i++)
        hb[i] = __float2bfloat16(i);
    cudaMalloc(&b, 64);
    cudaMalloc(&f, 128);
    cudaMemcpy(b, hb, 64, cudaMemcpyHostToDevice);
    bf<<<1, 32>>>(b, f);
    cudaMemcpy(rf, f, 128, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += fabs(rf[i] - (2 * i + 0.5 + 3.5 + 11.3137)) > 0.01;
    printf("%g\n", rf[3]);
    cudaFree(x);
    cudaFree(y);
    cudaFree(o);
    cudaFree(b);
    cudaFree(f);
    puts(bad ? "FAIL" : "PASS");
}
