// expect: right
// manner: templates and classes
#include <cstdio>
template <class E> struct Expr {
    __host__ __device__ const E &self() const { return static_cast<const E &>(*this); }
};
struct View : Expr<View> {
    float *p;
    __host__ __device__ explicit View(float *p) : p(p) {}
    __host__ __device__ float operator[](int i) const { return p[i]; }
};
struct Const : Expr<Const> {
    float v;
    __host__ __device__ explicit Const(float v) : v(v) {}
    __host__ __device__ float operator[](int) const { return v; }
};
template <class A, class B> struct Sum : Expr<Sum<A, B>> {
    A a;
    B b;
    __host__ __device__ Sum(A a, B b) : a(a), b(b) {}
    __host__ __device__ float operator[](int i) const { return a[i] + b[i]; }
};
template <class A, class B> struct Product : Expr<Product<A, B>> {
    A a;
    B b;
    __host__ __device__ Product(A a, B b) : a(a), b(b) {}
    __host__ __device__ float operator[](int i) const { return a[i] * b[i]; }
};
template <class A, class B> Sum<A, B> operator+(const Expr<A> &a, const Expr<B> &b)
{
    return { a.self(), b.self() };
}
template <class A, class B> Product<A, B> operator*(const Expr<A> &a, const Expr<B> &b)
{
    return { a.self(), b.self() };
}
template <class E> __global__ void assign(View to, E e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to.p[i] = e[i];
}
int main()
{
    const int n = 200;
    float *m;
    cudaMallocManaged(&m, 3 * n * sizeof(float));
    View x(m), y(m + n), z(m + 2 * n);
    for (int i = 0; i < n; i++) {
        m[i] = i;
        m[n + i] = 2;
    }
    auto e = x * y + Const(1) * x + Const(0.5f);
    assign<<<2, 128>>>(z, e, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += z[i] != 3.0f * i + 0.5f;
    cudaFree(m);
    puts(wrong ? "FAIL" : "PASS");
}
