// expect: right
// manner: templates and classes
#include <cstdio>
typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t d_add = add, d_mul = mul;
__device__ int counter = 5;
__device__ float table[4] = { 1, 2, 3, 4 };
__constant__ struct {
    int a;
    float b;
} cfg = { 3, 0.5f };
__global__ void apply(op_t f, float *o)
{
    o[threadIdx.x] = f(threadIdx.x, table[threadIdx.x % 4]) * cfg.b + cfg.a;
    atomicAdd(&counter, 1);
}
int main()
{
    op_t ha, hm;
    cudaMemcpyFromSymbol(&ha, d_add, sizeof ha);
    cudaMemcpyFromSymbol(&hm, d_mul, sizeof hm);
    float *o, h[64];
    cudaMalloc(&o, sizeof h);
    int bad = 0;
    for (int r = 0; r < 2; r++) {
        apply<<<1, 64>>>(r ? hm : ha, o);
        cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 64; i++)
            bad += h[i] != (r ? i * (1 + i % 4) : i + 1 + i % 4) * 0.5f + 3;
    }
    int c;
    cudaMemcpyFromSymbol(&c, counter, 4);
    bad += c != 133;
    void *a;
    cudaGetSymbolAddress(&a, counter);
    size_t sz;
    cudaGetSymbolSize(&sz, table);
    bad += sz != 16;
    cudaFree(o);
    puts(bad ? "FAIL" : "PASS");
}
