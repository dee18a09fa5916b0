/*
 * Divergence-free reduction: the sum of each section of S = 512 elements by a tree in shared memory
 * whose threads stay together, then the sum of the sums by launching again.
 *
 * Mapping   block b owns section b; its thread t loads elements t and t + 256 and owns place t of
 *           the tree. In each step the threads that add are the first ones of the block, half as
 *           many as in the step before
 * Bytes     4n read, 4n/S written; the steps stay in shared memory
 * Work      S - 1 = 511 additions a section, as in lab 02, but by 20 warp instructions instead of
 *           55
 * Depth     log2 S = 9 additions a section
 * Source    GPU Teaching Kit, module 9.3
 */
#include <cuda_runtime.h>

#include "divergence_free_reduction.h"

enum { BLOCK = DIVERGENCE_FREE_BLOCK, SECTION = DIVERGENCE_FREE_SECTION };

__global__ void reduce_compacted(const float *d_in, float *d_partial, unsigned n)
{
    __shared__ float s_sum[SECTION];
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * SECTION + t;
    unsigned second = first + BLOCK;

    /* Neighbouring threads read neighbouring elements. Past the end 0 stands in, so that every tree
       is a full one. */
    s_sum[t] = first < n ? d_in[first] : 0.0f;
    s_sum[t + BLOCK] = second < n ? d_in[second] : 0.0f;

    /* TODO 1: the steps of stride BLOCK, BLOCK/2, ... 1. In each, keep the threads that add at the
       front of the block, whole warps of them while there are enough, and let neighbouring threads
       read neighbouring places. */

    /* TODO 2: one thread stores the section's sum in d_partial[blockIdx.x]. */
}

static unsigned sections(unsigned n) { return (n + SECTION - 1) / SECTION; }

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    if (n > 0) /* a grid of no blocks is an error */
        reduce_compacted<<<sections(n), BLOCK>>>(d_in, d_partial, n);
}

void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    float *d_scratch[2]; /* written in turn: a block must not overwrite what a later one of
                               its launch still reads */
    unsigned left = n, turn = 0;

    if (n <= 0) {
        cudaMemset(d_sum, 0, sizeof *d_sum);
        return;
    }
    if (cudaMalloc((void **)&d_scratch[0], 2 * sizeof(float) * sections(n)) != cudaSuccess)
        return; /* the caller finds the reason in cudaGetLastError */
    d_scratch[1] = d_scratch[0] + sections(n);

    while (left > SECTION) {
        reduce_compacted_partial(d_in, d_scratch[turn], left);
        d_in = d_scratch[turn];
        left = sections(left);
        turn = 1 - turn;
    }
    /* launches on one stream run one after another */
    reduce_compacted_partial(d_in, d_sum, left);

    cudaFree(d_scratch[0]); /* waits for them */
}
