// expect: right
// manner: templates and classes
#include <cstdio>
#include <new>
struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Circle : Shape {
    float r;
    __device__ Circle(float r) : r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
};
struct Rect : Shape {
    float a, b;
    __device__ Rect(float a, float b) : a(a), b(b) {}
    __device__ float area() const override { return a * b; }
};
__global__ void make(Shape **s, int n)
{
    int i = threadIdx.x;
    if (i < n)
        s[i] = i % 2 ? (Shape *)new Circle(i) : (Shape *)new Rect(i, 2);
}
__global__ void areas(Shape **s, float *o, int n)
{
    int i = threadIdx.x;
    if (i < n)
        o[i] = s[i]->area();
}
__global__ void drop(Shape **s, int n)
{
    int i = threadIdx.x;
    if (i < n)
        delete s[i];
}
int main()
{
    Shape **s;
    float *o, h[40];
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    cudaMalloc(&s, 40 * sizeof *s);
    cudaMalloc(&o, sizeof h);
    make<<<1, 64>>>(s, 40);
    areas<<<1, 64>>>(s, o, 40);
    drop<<<1, 64>>>(s, 40);
    cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < 40; i++)
        bad += h[i] != (i % 2 ? 3.0f * i * i : 2.0f * i);
    cudaFree(s);
    cudaFree(o);
    puts(bad ? "FAIL" : "PASS");
}
