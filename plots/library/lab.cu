/*
 * lab.cu: what a lab's solution does for a scan of n floats, n in the first argument. Counted by
 * count, which compiles it with LAB as 10 or 11.
 */
#if LAB == 10
#include "decoupled_lookback.h"
#else
#include "speed_of_light.h"
#endif

#include <cstdlib>

int main(int, char **words)
{
    const int n = atoi(words[1]);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof *d_in);
    cudaMalloc(&d_out, n * sizeof *d_out);
    cudaMemset(d_in, 0, n * sizeof *d_in);
#if LAB == 10
    int *d_depth;
    cudaMalloc(&d_depth, n * sizeof *d_depth);
    lookback_f32(d_in, d_out, d_depth, n);
#else
    speed_f32(d_in, d_out, n);
#endif
    return cudaDeviceSynchronize() != cudaSuccess;
}
