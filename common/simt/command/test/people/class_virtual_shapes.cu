// expect: right
// manner: templates and classes
#include <cstdio>
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
    float w, h;
    __device__ Rect(float w, float h) : w(w), h(h) {}
    __device__ float area() const override { return w * h; }
};
__global__ void create(Shape **s, int n)
{
    int i = threadIdx.x;
    if (i < n)
        s[i] = i % 2 ? (Shape *)new Circle(i) : (Shape *)new Rect(i, 2);
}
__global__ void areas(Shape **s, float *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = s[i]->area();
}
__global__ void destroy(Shape **s, int n)
{
    int i = threadIdx.x;
    if (i < n)
        delete s[i];
}
int main()
{
    const int n = 40;
    Shape **s;
    float *d, h[n];
    cudaMalloc(&s, n * sizeof *s);
    cudaMalloc(&d, sizeof h);
    create<<<1, 64>>>(s, n);
    areas<<<1, 64>>>(s, d, n);
    destroy<<<1, 64>>>(s, n);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h[i] != (i % 2 ? 3.0f * i * i : 2.0f * i);
    cudaFree(s);
    cudaFree(d);
    puts(wrong ? "FAIL" : "PASS");
}
