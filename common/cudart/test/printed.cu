/*
 * printed.cu: what a program run by itself shows. A kernel's printf comes out at the next call that
 * synchronises, its findings on standard error. Line 18 is named in CMakeLists.txt.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

__global__ void print_line(const char *text)
{
    printf("thread %d of %u: %f text %s\n", threadIdx.x, blockDim.x, threadIdx.x + 1.5, text);
}

__global__ void write_beyond(int *p)
{
    int i = threadIdx.x;
    if (i < 2)
        p[4 + i] = 1;
}

int main(int argc, char **argv)
{
    char *d_text;
    if (cudaMalloc(&d_text, 16) != cudaSuccess ||
        cudaMemcpy(d_text, "%", 2, cudaMemcpyHostToDevice) != cudaSuccess)
        return 2;
    if (argc > 1 && strcmp(argv[1], "out_of_bounds") == 0)
        write_beyond<<<1, 32>>>((int *)d_text);
    else
        print_line<<<1, 2>>>(d_text);
    printf("before\n");
    cudaError_t error = cudaDeviceSynchronize();
    printf("after\n");
    cudaFree(d_text);
    return error != cudaSuccess;
}
