/* A copy that the host does not wait for, from memory that it then uses again as its argument
   names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

__global__ void add_one(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        a[i]++;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
#define IS(name) (strcmp(how, name) == 0)
    int *d, *e, *h, *other;
    cudaStream_t s;
    cudaMalloc(&d, N * sizeof *d);
    cudaMalloc(&e, N * sizeof *e);
    cudaMemset(d, 0, N * sizeof *d);
    cudaMallocHost(&other, N * sizeof *other);
    cudaStreamCreate(&s);
    if (IS("pageable") || IS("registered"))
        h = (int *)malloc(N * sizeof *h);
    else
        cudaHostAlloc(&h, N * sizeof *h, cudaHostAllocDefault);
    if (IS("registered"))
        cudaHostRegister(h, N * sizeof *h, cudaHostRegisterDefault);
    memset(other, 0, N * sizeof *other);
    memset(h, 0, N * sizeof *h);

    if (IS("rows") || IS("between-rows"))
        cudaMemcpy2DAsync(d, 40, h, 40, 8, 25, cudaMemcpyHostToDevice, s);
    else
        cudaMemcpyAsync(d, h, N * sizeof *h, cudaMemcpyHostToDevice, s);
    add_one<<<(N + 255) / 256, 256, 0, s>>>(d);
    if (IS("other-copy"))
        cudaMemcpyAsync(e, other, N * sizeof *e, cudaMemcpyHostToDevice, s);
    if (IS("back"))
        cudaMemcpyAsync(h, d, N * sizeof *h, cudaMemcpyDeviceToHost, s);
    if (IS("synchronised"))
        cudaStreamSynchronize(s);
    if (IS("asked"))
        cudaStreamQuery(s);
    if (IS("asked-until"))
        while (cudaStreamQuery(s) == cudaErrorNotReady)
            ;
    if (!IS("back"))
        h[IS("between-rows") ? 3 : 20] = 7;
    if (IS("again"))
        cudaMemcpyAsync(e, h, N * sizeof *e, cudaMemcpyHostToDevice, s);
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, N * sizeof *h, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    if (IS("registered"))
        cudaHostUnregister(h);
    if (IS("pageable") || IS("registered"))
        free(h);
    else
        cudaFreeHost(h);
    cudaFreeHost(other);
    cudaStreamDestroy(s);
    cudaFree(d);
    cudaFree(e);
    return 0;
}
