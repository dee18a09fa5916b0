// expect: right
// manner: templates and classes
// flags: -std=c++20
#include <concepts>
#include <cstdio>
#include <span>
#include <array>
#include <bit>
template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
template <Number T> __global__ void fill(T *p, int n, T v)
{
    if (int i = threadIdx.x; i < n)
        p[i] = v + T(i);
}
struct P {
    int x, y;
    constexpr bool operator==(const P &) const = default;
};
consteval int sq(int x) { return x * x; }
__global__ void k(P *p)
{
    constexpr int s = sq(5);
    p[threadIdx.x] = P{ .x = s, .y = (int)threadIdx.x };
    auto f = []<class U>(U u) { return u + 1; };
    p[threadIdx.x].x = f(p[threadIdx.x].x);
}
int main()
{
    float *d;
    std::array<float, 32> h;
    cudaMalloc(&d, sizeof h);
    fill<<<1, 32>>>(d, 32, 1.5f);
    cudaMemcpy(h.data(), d, sizeof h, cudaMemcpyDeviceToHost);
    P *p, q[32];
    cudaMalloc(&p, sizeof q);
    k<<<1, 32>>>(p);
    cudaMemcpy(q, p, sizeof q, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < 32; i++)
        bad += h[i] != 1.5f + i || !(q[i] == P{ 26, i });
    cudaFree(d);
    cudaFree(p);
    puts(bad ? "FAIL" : "PASS");
}
