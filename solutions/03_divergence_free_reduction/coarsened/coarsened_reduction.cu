/*
 * Coarsened reduction: the tree of lab 03 after a loop in which each thread adds up many elements,
 * by themselves.
 *
 * Mapping   a few blocks for each multiprocessor, whatever n is, which take the array's pieces of
 *           16384 elements in turn. Thread t has groups t, t + 256, t + 512 ... of a piece, 4
 *           elements each. Then the block's 256 sums go through the tree, and the sums of the
 *           blocks through a block of the same kernel
 * Bytes     4n read; the partial sums are a few thousand more
 * Work      n - 1 additions in all, 255 of them in each block's tree
 * Depth     n / threads of the grid, and log2 256 = 8 for the tree; the same again for the sums of
 *           the blocks
 * Source    M. Harris, Optimizing Parallel Reduction in CUDA, "algorithm cascading"
 */
#include <cuda_runtime.h>

#include "coarsened_reduction.h"

enum {
    BLOCK = 256,
    LOADS = 16,                 /* of 16 bytes that a thread has under way */
    PIECE = LOADS * BLOCK,      /* groups of 4 elements */
    BLOCKS_A_MULTIPROCESSOR = 2 /* 512 threads with 128 KiB under way */
};

static __device__ __forceinline__ float sum_of(float4 group)
{
    return (group.x + group.y) + (group.z + group.w);
}

/* What the thread adds up alone. */
static __device__ float sum_of_thread(const float *d_in, long long n)
{
    const float4 *d_group = (const float4 *)d_in;
    const long long groups = n / 4;
    const unsigned t = threadIdx.x;
    float sum = 0.0f;

    for (long long first = (long long)blockIdx.x * PIECE; first < groups;
         first += (long long)gridDim.x * PIECE) {
        if (first + PIECE <= groups) {
            float4 group[LOADS];

#pragma unroll
            for (int k = 0; k < LOADS; k++) /* all on their way before the first is needed */
                group[k] = d_group[first + k * BLOCK + t];
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                sum += sum_of(group[k]);
        } else {
            for (long long g = first + t; g < groups; g += BLOCK)
                sum += sum_of(d_group[g]);
        }
    }
    if (blockIdx.x == 0 && t < n % 4) /* the elements after the last whole group */
        sum += d_in[4 * groups + t];
    return sum;
}

/* One sum for each block, of all that its threads have. The bounds leave a thread the registers
   that its loads need: with the first alone nvcc saves them, and waits for a few loads at a
   time. */
__global__ void __launch_bounds__(BLOCK, BLOCKS_A_MULTIPROCESSOR)
    reduce_coarsened(const float *d_in, float *d_partial, long long n)
{
    __shared__ float s_sum[BLOCK];
    unsigned t = threadIdx.x;

    s_sum[t] = sum_of_thread(d_in, n);
    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
        /* place t + stride was filled by another thread, by itself or in the step before */
        __syncthreads();
        if (t < stride)
            s_sum[t] += s_sum[t + stride];
    }
    if (t == 0)
        d_partial[blockIdx.x] = s_sum[0];
}

/* Blocks that the GPU holds at a time, asked once, and room for a sum of each; 0 where either
   cannot be had. */
static unsigned find_blocks(float **d_partial)
{
    static unsigned blocks;
    static float *d_memory;
    int device, multiprocessors;

    if (blocks == 0 && cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) ==
            cudaSuccess &&
        cudaMalloc((void **)&d_memory, BLOCKS_A_MULTIPROCESSOR * (size_t)multiprocessors *
                                           sizeof *d_memory) == cudaSuccess)
        blocks = BLOCKS_A_MULTIPROCESSOR * (unsigned)multiprocessors;
    *d_partial = d_memory;
    return blocks;
}

void reduce_coarsened_total(const float *d_in, float *d_sum, long long n)
{
    const long long useful = (n - 1) / (4 * PIECE) + 1; /* blocks: one for each piece */
    float *d_partial;
    unsigned blocks = find_blocks(&d_partial);

    if (n <= 0)
        cudaMemsetAsync(d_sum, 0, sizeof *d_sum);
    else if (useful == 1)
        reduce_coarsened<<<1, BLOCK>>>(d_in, d_sum, n);
    else if (blocks > 0) {
        if (useful < blocks)
            blocks = (unsigned)useful;
        reduce_coarsened<<<blocks, BLOCK>>>(d_in, d_partial, n);
        /* starts when the first has ended */
        reduce_coarsened<<<1, BLOCK>>>(d_partial, d_sum, blocks);
    }
}
