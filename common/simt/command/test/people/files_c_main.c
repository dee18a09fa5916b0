// expect: right
// manner: several files
// with: files_wrapper_part.cu
#include <stdio.h>
#include <cuda_runtime.h>
extern cudaError_t add_one(int *d, int n, cudaStream_t stream);
int main(void)
{
    int h[100], *d, wrong = 0;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float ms = -1;
    for (int i = 0; i < 100; i++)
        h[i] = i;
    if (cudaStreamCreate(&stream) || cudaEventCreate(&start) || cudaEventCreate(&stop) ||
        cudaMalloc((void **)&d, sizeof h))
        return 1;
    cudaMemcpyAsync(d, h, sizeof h, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(start, stream);
    if (add_one(d, 100, stream) != cudaSuccess)
        return 2;
    cudaEventRecord(stop, stream);
    cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaEventElapsedTime(&ms, start, stop);
    for (int i = 0; i < 100; i++)
        wrong += h[i] != i + 1;
    cudaFree(d);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(stream);
    puts(!wrong && ms >= 0 ? "PASS" : "FAIL");
    return 0;
}
