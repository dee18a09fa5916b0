// flags: -std=c++17 --extended-lambda -O3
/*
 * cxx.cu: lambdas, classes and virtual functions in kernels, function pointers, <memory>.
 */
#include <cstdio>
#include <vector>
#include <memory>
template <typename F>
__global__ void for_each_index(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        f(i);
}
class Matrix
{
    int rows, cols;
    float *data;

  public:
    __host__ __device__ Matrix(int r, int c, float *d) : rows(r), cols(c), data(d) {}
    __device__ float &operator()(int r, int c) { return data[r * cols + c]; }
    __host__ __device__ int size() const { return rows * cols; }
    __host__ __device__ int width() const { return cols; }
};
__global__ void fill(Matrix m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m.size())
        m(i / m.width(), i % m.width()) = i;
}
struct Deleter {
    void operator()(void *p) const { cudaFree(p); }
};
typedef float (*op_t)(float, float);
__device__ float addf(float a, float b)
{
    return a + b;
}
__device__ float mulf(float a, float b)
{
    return a * b;
}
__device__ op_t ops[2] = {addf, mulf};
__device__ op_t one = mulf;
__global__ void apply(op_t f, float *d, int n)
{
    int i = threadIdx.x;
    if (i < n)
        d[i] = f(d[i], 2) + ops[i & 1](d[i], 3);
}
struct Base {
    __device__ virtual float area() const { return 0; }
    __device__ virtual ~Base() {}
};
struct Square : Base {
    float s;
    __device__ Square(float s) : s(s) {}
    __device__ float area() const override { return s * s; }
};
struct Circle : Base {
    float r;
    __device__ Circle(float r) : r(r) {}
    __device__ float area() const override { return 3 * r * r; }
};
__global__ void virt(float *o)
{
    Base *b;
    if (threadIdx.x & 1)
        b = new Square(threadIdx.x);
    else
        b = new Circle(threadIdx.x);
    o[threadIdx.x] = b->area();
    delete b;
}
int main()
{
    int n = 777;
    float *d;
    cudaMalloc(&d, n * sizeof(float));
    std::unique_ptr<float, Deleter> guard(d);
    std::vector<float> h(n);
    float k = 3;
    for_each_index<<<4, 64>>>(n, [=] __device__(int i) { d[i] = i * k; });
    cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += h[i] != i * 3;
    fill<<<7, 111>>>(Matrix(7, 111, d));
    cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        bad += h[i] != i;
    op_t f;
    cudaMemcpyFromSymbol(&f, one, sizeof f);
    apply<<<1, 32>>>(f, d, 32);
    cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != i * 2 + (i & 1 ? i * 3 : i + 3);
    virt<<<1, 32>>>(d);
    cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != (i & 1 ? i * i : 3 * i * i);
    printf("%s\n%s\n", cudaGetErrorString(cudaGetLastError()), bad ? "FAIL" : "PASS");
}
