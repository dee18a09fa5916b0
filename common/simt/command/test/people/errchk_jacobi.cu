// expect: right
// manner: a macro around each call
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t e = call;                                                                \
        if (e != cudaSuccess) {                                                                    \
            printf("Error: %s:%d, code:%d, reason: %s\n", __FILE__, __LINE__, e,                   \
                   cudaGetErrorString(e));                                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define IDX(y, x) ((y)*nx + (x))
__global__ void jacobi(const double *a, double *b, int ny, int nx)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
        b[IDX(y, x)] =
            0.25 * (a[IDX(y - 1, x)] + a[IDX(y + 1, x)] + a[IDX(y, x - 1)] + a[IDX(y, x + 1)]);
}
int main(int argc, char **argv)
{
    int ny = argc > 1 ? atoi(argv[1]) : 33, nx = 47, bytes = ny * nx * sizeof(double), wrong = 0;
    double *h = (double *)calloc(ny * nx, sizeof(double)), *g = (double *)malloc(bytes), *d[2];
    for (int x = 0; x < nx; x++)
        h[x] = sin(M_PI * x / (nx - 1));
    for (int k = 0; k < 2; k++) {
        CHECK(cudaMalloc((double **)&d[k], bytes));
        CHECK(cudaMemcpy(d[k], h, bytes, cudaMemcpyHostToDevice));
    }
    dim3 block(16, 8), grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    for (int it = 0; it < 20; it++)
        jacobi<<<grid, block>>>(d[it & 1], d[~it & 1], ny, nx);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(g, d[0], bytes, cudaMemcpyDeviceToHost));
    double *o = (double *)malloc(bytes);
    memcpy(o, h, bytes);
    for (int it = 0; it < 20; it++) {
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++)
                o[IDX(y, x)] = 0.25 * (h[IDX(y - 1, x)] + h[IDX(y + 1, x)] + h[IDX(y, x - 1)] +
                                       h[IDX(y, x + 1)]);
        double *t = o;
        o = h;
        h = t;
    }
    for (int i = 0; i < ny * nx; i++)
        wrong += fabs(h[i] - g[i]) > 1e-14;
    CHECK(cudaFree(d[0]));
    CHECK(cudaFree(d[1]));
    free(h);
    free(g);
    free(o);
    CHECK(cudaDeviceReset());
    puts(wrong ? "FAIL" : "PASS");
    return 0;
}
