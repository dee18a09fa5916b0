/* cooperative.cu: kernels whose blocks meet at a grid barrier, and their launch. cooperative_test.c
   runs them under many schedules. */
#include "cooperative.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Each round every block reads what its neighbour wrote in the round before. */
__global__ void rotate(int *even, int *odd, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    int *from = even, *to = odd;
    unsigned n = (unsigned)grid.num_threads(), i = (unsigned)grid.thread_rank();

    for (int k = 0; k < rounds; k++) {
        to[i] = from[(i + cg::this_thread_block().num_threads()) % n] + 1;
        grid.sync();
        int *swap = from;
        from = to;
        to = swap;
    }
}

extern "C" int run_rotate(int *values, int blocks, int threads, int rounds, int cooperative)
{
    size_t bytes = (size_t)blocks * threads * sizeof(int);
    int *even = NULL, *odd = NULL;
    cudaMalloc(&even, bytes);
    cudaMalloc(&odd, bytes);
    cudaMemcpy(even, values, bytes, cudaMemcpyHostToDevice);
    void *arguments[] = { &even, &odd, &rounds };
    cudaError_t e =
        cooperative ? cudaLaunchCooperativeKernel(rotate, dim3(blocks), dim3(threads), arguments)
                    : cudaLaunchKernel(rotate, dim3(blocks), dim3(threads), arguments);
    if (e == cudaSuccess)
        e = cudaMemcpy(values, rounds % 2 ? odd : even, bytes, cudaMemcpyDeviceToHost);
    cudaFree(even);
    cudaFree(odd);
    return (int)e;
}

extern "C" int places_for_rotate(int threads)
{
    int blocks = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate, threads, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    return blocks * multiprocessors;
}
