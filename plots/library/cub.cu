/*
 * cub.cu: what CUB does for a scan of n floats, n in the first argument. Counted by count.
 */
#include <cub/cub.cuh>

#include <cstdio>
#include <cstdlib>

int main(int, char **words)
{
    const int n = atoi(words[1]);
    float *d_in, *d_out;
    void *d_room;
    size_t bytes = 0;
    cudaMalloc(&d_in, n * sizeof *d_in);
    cudaMalloc(&d_out, n * sizeof *d_out);
    cudaMemset(d_in, 0, n * sizeof *d_in);
    cub::DeviceScan::InclusiveSum(NULL, bytes, d_in, d_out, n);
    cudaMalloc(&d_room, bytes);
    cub::DeviceScan::InclusiveSum(d_room, bytes, d_in, d_out, n);
    printf("%d.%d.%d\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    return cudaDeviceSynchronize() != cudaSuccess;
}
