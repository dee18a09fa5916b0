// expect: right
// manner: atomics and fences
#include <cstdio>
__device__ double atomicAddDouble(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address,
                           old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed,
                        __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ __forceinline__ float atomicMaxFloat(float *addr, float value)
{
    return value >= 0 ? __int_as_float(atomicMax((int *)addr, __float_as_int(value)))
                      : __uint_as_float(atomicMin((unsigned int *)addr, __float_as_uint(value)));
}
__global__ void sum_and_max(const float *in, double *sum, float *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAddDouble(sum, in[i]);
        atomicMaxFloat(most, in[i]);
    }
}
int main()
{
    const int n = 300;
    float h[n], m, *in, *most, want = -1000;
    double s = 0, *sum, exact = 0;
    for (int i = 0; i < n; i++) {
        h[i] = -(i * 7 % 50) - 0.5f;
        exact += h[i];
        want = h[i] > want ? h[i] : want;
    }
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&sum, 8);
    cudaMalloc(&most, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(sum, &s, 8, cudaMemcpyHostToDevice);
    m = -1000;
    cudaMemcpy(most, &m, 4, cudaMemcpyHostToDevice);
    sum_and_max<<<3, 128>>>(in, sum, most, n);
    cudaMemcpy(&s, sum, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&m, most, 4, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(sum);
    cudaFree(most);
    puts(s == exact && m == want ? "PASS" : "FAIL");
}
