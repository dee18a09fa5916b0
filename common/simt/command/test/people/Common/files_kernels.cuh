#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "files_util.h"
#define CUDA_CHECK(expr_to_check)                                                                  \
    do {                                                                                           \
        cudaError_t result = expr_to_check;                                                        \
        if (result != cudaSuccess) {                                                               \
            fprintf(stderr, "CUDA Runtime Error: %s:%i:%d = %s\n", __FILE__, __LINE__, result,     \
                    cudaGetErrorString(result));                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
namespace config
{
void set_factor(float f);
}
void launch_scale(float *d, int n, cudaStream_t stream);
static __device__ __forceinline__ float times(float x, float f) { return x * f; }
template <typename T> __global__ void scale_here(T *d, int n, T f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        d[i] = times(d[i], f);
}
