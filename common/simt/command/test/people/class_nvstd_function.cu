// expect: right
// manner: templates and classes
/* nvstd::function in kernels and on the host: lambdas small and large, function pointers,
   functors, copies, none. */
#include <cstdio>
#include <nvfunctional>
typedef nvstd::function<float(float)> unary;
__host__ __device__ float half_of(float x) { return x / 2; }
struct Power {
    int n;
    __host__ __device__ float operator()(float x) const
    {
        float r = 1;
        for (int k = 0; k < n; k++)
            r *= x;
        return r;
    }
};
struct Polynomial {
    float c[20];
    __host__ __device__ float operator()(float x) const
    {
        float r = 0;
        for (int k = 20; k-- > 0;)
            r = r * x + c[k];
        return r;
    }
};
__host__ __device__ float through(const unary &f, float x) { return f ? f(x) : -1; }
__host__ __device__ float all(float x)
{
    Polynomial p = { { 1, 1, 1 } };
    float shift = 3;
    unary f = [=](float y) { return y + shift; }, g = half_of, h = Power{ 3 }, big = p, none,
          other = big;
    h = g;
    f.swap(g);
    big = nullptr;
    return through(f, x) + 10 * through(g, x) + 100 * through(h, x) + 1000 * through(big, x) +
           10000 * through(none, x) + 100000 * through(other, x) + (none == nullptr) +
           (other != nullptr);
}
__global__ void run(float *o) { o[threadIdx.x] = all(threadIdx.x); }
int main()
{
    float *d, h[32];
    int wrong = 0;
    cudaMalloc(&d, sizeof h);
    run<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += h[i] != all(i);
    cudaFree(d);
    puts(wrong || h[2] != 1 + 50 + 100 - 1000 - 10000 + 700000 + 2 ? "FAIL" : "PASS");
}
