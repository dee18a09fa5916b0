/*
 * Naive reduction: the sum of each section of S = 512 elements by an interleaved tree in shared
 * memory, then the sum of the sums by launching again.
 *
 * Mapping   block b owns section b; its thread t loads elements t and t + 256 into the places of
 *           these numbers, and owns place 2t of the tree. In the step of stride s = 1, 2, 4 ... 256
 *           the threads that are multiples of s add place 2t + s to place 2t
 * Bytes     4n read, 4n/S written; the steps stay in shared memory
 * Work      S - 1 = 511 additions a section
 * Depth     log2 S = 9 additions a section
 * Source    GPU Teaching Kit, module 9.2
 */
#include <cuda_runtime.h>

#include "naive_reduction.h"

enum { BLOCK = NAIVE_REDUCTION_BLOCK, SECTION = NAIVE_REDUCTION_SECTION };

__global__ void reduce_interleaved(const float *d_in, float *d_partial, unsigned n)
{
    __shared__ float s_sum[SECTION];
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * SECTION + t;
    unsigned second = first + BLOCK;

    /* TODO 1: fill s_sum with the section: elements first and second, and 0 for what lies at n or
       beyond. */

    /* TODO 2: the steps of stride 1, 2, 4, ... BLOCK, included. In each, every thread that is a
       multiple of it adds place 2t + stride to place 2t. Who wrote these, are they there yet? */

    /* TODO 3: one thread stores the section's sum in d_partial[blockIdx.x]. */
}

static unsigned sections(unsigned n) { return (n + SECTION - 1) / SECTION; }

void reduce_naive_partial(const float *d_in, float *d_partial, int n)
{
    if (n > 0) /* a grid of no blocks is an error */
        reduce_interleaved<<<sections(n), BLOCK>>>(d_in, d_partial, n);
}

void reduce_naive_total(const float *d_in, float *d_sum, int n)
{
    float *d_scratch[2]; /* room for the partial sums of a launch, twice */
    unsigned left = n;

    if (n <= 0) {
        cudaMemset(d_sum, 0, sizeof *d_sum);
        return;
    }
    if (cudaMalloc((void **)&d_scratch[0], 2 * sizeof(float) * sections(n)) != cudaSuccess)
        return; /* the caller finds the reason in cudaGetLastError */
    d_scratch[1] = d_scratch[0] + sections(n);

    /* TODO 4: while more than SECTION elements are left, put their partial sums into d_scratch, by
       reduce_naive_partial, and go on with those; the last launch has one block and writes d_sum.
       Mind that the blocks of a launch run in any order: none may overwrite what another still has
       to read, so write one half of d_scratch while you read the other. */

    cudaFree(d_scratch[0]); /* waits for the launches */
}
