// expect: right
// manner: templates and classes
#include <cstdio>
// Without #include <new>, which nvcc does not need.
struct Counter {
    int n;
    __device__ Counter(int from) : n(from) {}
};
__global__ void make(Counter *c) { new (c + threadIdx.x) Counter(2 * threadIdx.x); }
int main()
{
    Counter *c;
    int h[32], bad = 0;
    cudaMalloc(&c, sizeof h);
    make<<<1, 32>>>(c);
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != 2 * i;
    cudaFree(c);
    puts(bad ? "FAIL" : "PASS");
    return bad;
}
