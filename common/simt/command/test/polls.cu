/* Loops that meet at barriers as they wait for what nobody writes, by the name of the kernel, and
   two that end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ volatile int flag[64];

/* one thread looks, all are told */
__global__ void told_by_one(int *out)
{
    __shared__ int s_seen;
    for (;;) {
        if (threadIdx.x == 0)
            s_seen = flag[0];
        __syncthreads();
        const int seen = s_seen;
        __syncthreads();
        if (seen)
            break;
    }
    out[threadIdx.x] = 1;
}

/* shared memory changes in each round, and is the same in the next */
__global__ void voted(int *out)
{
    __shared__ int s_all;
    for (;;) {
        if (threadIdx.x == 0)
            s_all = 1;
        __syncthreads();
        if (!flag[threadIdx.x % 64])
            s_all = 0;
        __syncthreads();
        if (s_all)
            break;
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}

__global__ void counted(int *out)
{
    while (__syncthreads_count(flag[threadIdx.x % 64]) == 0)
        ;
    out[threadIdx.x] = 1;
}

/* global memory is written in each round, with what is there */
__global__ void beats(int *out)
{
    while (!flag[2]) {
        out[1024 + threadIdx.x] = 7;
        __syncthreads();
    }
}

/* each block waits for the other, which sets its flag after its loop */
__global__ void crossed(int *out)
{
    __shared__ int s_seen;
    for (;;) {
        if (threadIdx.x == 0)
            s_seen = flag[blockIdx.x ^ 1];
        __syncthreads();
        const int seen = s_seen;
        __syncthreads();
        if (seen)
            break;
    }
    if (threadIdx.x == 0)
        flag[blockIdx.x] = 1;
}

/* the first block takes its time, and the others' wait ends */
__global__ void patient(int *out)
{
    __shared__ int s_seen;
    if (blockIdx.x == 0) {
        for (int k = 0; k < 50000; k++)
            if (flag[9])
                break;
        if (threadIdx.x == 0)
            flag[7] = 1;
        return;
    }
    for (;;) {
        if (threadIdx.x == 0)
            s_seen = flag[7];
        __syncthreads();
        const int seen = s_seen;
        __syncthreads();
        if (seen)
            break;
    }
    out[threadIdx.x] = 1;
}

/* shared memory comes back again and again, but a register counts */
__global__ void long_loop(int *out)
{
    __shared__ int s_bit;
    for (int k = 0; k < 100000; k++) {
        if (threadIdx.x == 0)
            s_bit = k & 1;
        __syncthreads();
        if (s_bit == 2)
            break;
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    int *out;
    const char *name = argc > 1 ? argv[1] : "";
    cudaMalloc(&out, 8192);
    cudaMemset(out, 0, 8192);
#define RUN(kernel, blocks)                                                                        \
    if (strcmp(name, #kernel) == 0)                                                                \
    kernel<<<blocks, 96>>>(out)
    RUN(told_by_one, 1);
    RUN(voted, 1);
    RUN(counted, 1);
    RUN(beats, 1);
    RUN(crossed, 2);
    RUN(patient, 3);
    RUN(long_loop, 1);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
