/*
 * odd.cu: a file for lab 06 whose entries go wrong as n says, so that run_twin can be tried on the
 * engine: 33 is right, 34 wrong, 35 spoils the CUDA context, 36 never ends, 37 is wrong in every
 * third call, 38 ends the program, 39 is wrong on a GPU of at most 2 multiprocessors.
 */
#include <stdlib.h>
#include <unistd.h>

#include "multi_block.h"

static __global__ void scan(const float *d_in, float *d_out, int n, float first)
{
    float sum = first;
    for (int i = 0; i < n; i++)
        d_out[i] = sum += d_in[i];
}

static __global__ void spoil(float *d_out) { *(volatile float *)(d_out - d_out) = 1; }

static void entry(const float *d_in, float *d_out, int n)
{
    static int calls;
    int multiprocessors = 0;

    calls++;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    if (n == 35)
        spoil<<<1, 1>>>(d_out);
    if (n == 36)
        for (;;)
            pause();
    if (n == 38)
        exit(0);
    scan<<<1, 1>>>(d_in, d_out, n,
                   n == 34 || (n == 37 && calls % 3 == 0) || (n == 39 && multiprocessors <= 2));
}

extern "C" void scan_then_propagate(const float *d_in, float *d_out, int n)
{
    entry(d_in, d_out, n);
}
extern "C" void reduce_then_scan(const float *d_in, float *d_out, int n) { entry(d_in, d_out, n); }
