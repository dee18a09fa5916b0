#include <stdlib.h>
#include <cuda_runtime.h>
#include "files_util.h"
float *make_input(int n)
{
    float *p = NULL;
    struct cudaDeviceProp prop;
    dim3 block = { 1, 1, 1 };
    float2 pair = make_float2(0, 1);
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess ||
        cudaMallocHost((void **)&p, n * sizeof *p) != cudaSuccess)
        exit(1);
    for (int i = 0; i < n; i++)
        p[i] = i * pair.y * block.x;
    return p;
}
void free_input(float *p) { cudaFreeHost(p); }
