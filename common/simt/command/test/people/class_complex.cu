// expect: right
// manner: templates and classes
#include <cuComplex.h>
#include <cstdio>
#include <math_constants.h>
__global__ void k(cuFloatComplex *z, cuDoubleComplex *w)
{
    int i = threadIdx.x;
    z[i] = cuCmulf(z[i], make_cuFloatComplex(0, 1));
    z[i] = cuCaddf(z[i], cuConjf(z[i]));
    w[i] = cuCdiv(make_cuDoubleComplex(i, CUDART_PI), make_cuDoubleComplex(1, 1));
}
int main()
{
    cuFloatComplex *z, h[32];
    cuDoubleComplex *w, g[32];
    for (int i = 0; i < 32; i++)
        h[i] = make_cuFloatComplex(i, 2);
    cudaMalloc(&z, sizeof h);
    cudaMalloc(&w, sizeof g);
    cudaMemcpy(z, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(z, w);
    cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(g, w, sizeof g, cudaMemcpyDeviceToHost);
    puts(cuCrealf(h[3]) == -4 && fabs(cuCimag(g[0]) - 1.5707963) < 1e-6 ? "PASS" : "FAIL");
    cudaFree(z);
    cudaFree(w);
}
