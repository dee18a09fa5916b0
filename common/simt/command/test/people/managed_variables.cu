// expect: right
// manner: managed memory
// with: managed_variables_part.cu
/* __managed__ variables: used by host and kernels under one name, before the first call, by
   pointer, in copies and fills, from two files. */
#include <cstdio>
#include "managed_variables.h"
__device__ __managed__ int result = 40;
__managed__ float data[300];
__managed__ Point points[2] = { { 1, 2.5 }, { 3, 4.5 } };
static __managed__ unsigned long long sum;
namespace settings
{
__managed__ int scale = 3;
}
__managed__ int *chosen;
__managed__ int pair[2] = { 7, 9 };

__global__ void add()
{
    atomicAdd(&result, 1);
    atomicAdd(&sum, (unsigned long long)threadIdx.x);
}
__global__ void fill(float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = settings::scale * i;
}
__global__ void move_points()
{
    points[threadIdx.x].x += points[1 - threadIdx.x].weight > 3 ? 10 : 20;
}
__global__ void follow() { *chosen += 100; }
int main()
{
    int wrong = result != 40 || points[1].weight != 4.5 || sum;
    result++;
    add<<<1, 64>>>();
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    wrong += result != 41 + 64 || sum != 2016;
    settings::scale = 5;
    fill<<<2, 256>>>(data, 300);
    cudaDeviceSynchronize();
    for (int i = 0; i < 300; i++)
        wrong += data[i] != 5 * i;
    fill<<<1, 256>>>(&data[100], 50);
    move_points<<<1, 2>>>();
    cudaDeviceSynchronize();
    chosen = &pair[1];
    follow<<<1, 1>>>();
    cudaDeviceSynchronize();
    wrong += data[100] != 0 || data[149] != 245 || data[150] != 750 || points[0].x != 11 ||
             points[1].x != 23;
    wrong += pair[0] != 7 || pair[1] != 109;

    float copy[300], *device;
    cudaMalloc(&device, sizeof copy);
    cudaMemcpy(device, data, sizeof copy, cudaMemcpyDeviceToDevice);
    wrong += cudaMemset(data, 0, sizeof data) != cudaSuccess || data[299] != 0;
    cudaMemcpy(data, device, sizeof copy, cudaMemcpyDefault);
    cudaMemcpy(copy, data, sizeof copy, cudaMemcpyDeviceToHost);
    wrong += copy[299] != 5 * 299 || data[299] != 5 * 299;
    int from = -1, to = 0;
    wrong += cudaMemcpyToSymbol(result, &from, sizeof from) != cudaSuccess || result != -1;
    wrong += cudaMemcpyFromSymbol(&to, result, sizeof to) != cudaSuccess || to != -1;
    cudaPointerAttributes a;
    wrong += cudaPointerGetAttributes(&a, data) != cudaSuccess || a.type != cudaMemoryTypeManaged;
    cudaFree(device);
    wrong += use_from_another_file();
    puts(wrong ? "FAIL" : "PASS");
}
