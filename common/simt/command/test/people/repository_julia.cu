// expect: right
// manner: a repository's main function
#include <stdio.h>
#include <stdlib.h>
#include <complex>
#include <string>
#include <fstream>
template <typename T> struct cuComplex_t {
    T r, i;
    __host__ __device__ cuComplex_t(T a, T b) : r(a), i(b) {}
    __host__ __device__ T magnitude2() const { return r * r + i * i; }
    __host__ __device__ cuComplex_t operator*(const cuComplex_t &a) const
    {
        return cuComplex_t(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __host__ __device__ cuComplex_t operator+(const cuComplex_t &a) const
    {
        return { r + a.r, i + a.i };
    }
};
template <typename T> __host__ __device__ int julia(int x, int y, int dim)
{
    cuComplex_t<T> c(-0.75, 0.25), a((T)(dim / 2 - x) / (dim / 2), (T)(dim / 2 - y) / (dim / 2));
    for (int i = 0; i < 100; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000)
            return i;
    }
    return 100;
}
__global__ void kernel(uchar4 *ptr, int dim)
{
    int x = blockIdx.x, y = blockIdx.y, off = x + y * gridDim.x;
    int j = julia<float>(x, y, dim);
    ptr[off].x = 255 * j / 100;
    ptr[off].y = ptr[off].z = 0;
    ptr[off].w = 255;
}
int main(void)
{
    const int dim = 32;
    uchar4 *h = new uchar4[dim * dim], *d;
    cudaMalloc((void **)&d, dim * dim * sizeof(uchar4));
    dim3 grid(dim, dim);
    kernel<<<grid, 1>>>(d, dim);
    cudaMemcpy(h, d, dim * dim * sizeof(uchar4), cudaMemcpyDeviceToHost);
    int differ = 0;
    for (int y = 0; y < dim; y++)
        for (int x = 0; x < dim; x++)
            differ += abs(h[x + y * dim].x - 255 * julia<float>(x, y, dim) / 100) > 8;
    cudaFree(d);
    delete[] h;
    puts(differ < 20 ? "PASS" : "FAIL");
    return 0;
}
