/* Work on several streams, ordered in the way that its argument names, or not at all. */
#include <stdio.h>
#include <string.h>

enum { N = 256 };

__global__ void fill(int *a, int value) { a[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void copy(int *to, const int *from)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

__global__ void count(int *counter) { atomicAdd(counter, 1); }

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
#define IS(name) (strcmp(how, name) == 0)
    int *a, *b, *h;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaMalloc(&a, 2 * N * sizeof *a);
    cudaMalloc(&b, 2 * N * sizeof *b);
    cudaMallocHost(&h, 2 * N * sizeof *h);
    cudaMemset(a, 0, 2 * N * sizeof *a);
    cudaMemset(b, 0, 2 * N * sizeof *b);
    cudaDeviceSynchronize();
    if (IS("nonblocking") || IS("copy-nonblocking") || IS("default-waited")) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    } else {
        cudaStreamCreate(&s);
        cudaStreamCreate(&t);
    }
    cudaEventCreate(&e);

    if (IS("twice"))
        for (int k = 0; k < 2; k++)
            fill<<<2, N / 2, 0, s>>>(a, 3);
    fill<<<2, N / 2, 0, IS("default-first") ? 0 : s>>>(a, 1);
    if (IS("event") || IS("event-too-early"))
        cudaEventRecord(e, s);
    if (IS("event-too-early"))
        fill<<<2, N / 2, 0, s>>>(a, 2);
    if (IS("event") || IS("event-too-early"))
        cudaStreamWaitEvent(t, e, 0);
    if (IS("stream"))
        cudaStreamSynchronize(s);
    if (IS("other-stream"))
        cudaStreamSynchronize(t);
    if (IS("device") || IS("default-waited"))
        cudaDeviceSynchronize();
    if (IS("query"))
        while (cudaStreamQuery(s) != cudaSuccess)
            ;
    if (IS("halves"))
        fill<<<2, N / 2, 0, t>>>(a + N, 2);
    else if (IS("counters")) {
        count<<<4, 32, 0, s>>>(b);
        count<<<4, 32, 0, t>>>(b);
    } else if (IS("readers")) {
        cudaStreamSynchronize(s);
        copy<<<2, N / 2, 0, s>>>(b, a);
        copy<<<2, N / 2, 0, t>>>(b + N, a);
    } else if (IS("default-between") || IS("nonblocking")) {
        copy<<<2, N / 2>>>(b, a);
    } else if (IS("default-and-back")) {
        fill<<<2, N / 2>>>(b, 2);
        copy<<<2, N / 2, 0, t>>>(b + N, a);
    } else if (IS("copy") || IS("copy-nonblocking")) {
        cudaMemcpy(h, a, N * sizeof *a, cudaMemcpyDeviceToHost);
    } else if (IS("copy-async")) {
        cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, t);
    } else if (IS("memset")) {
        cudaMemsetAsync(a, 0, N * sizeof *a, t);
    } else
        copy<<<2, N / 2, 0, IS("one-stream") ? s : t>>>(b, a);
    cudaDeviceSynchronize();
    cudaMemcpy(h, b, 2 * N * sizeof *b, cudaMemcpyDeviceToHost);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
