/*
 * Lab 03, the contract: what divergence_free_reduction.cu must provide. The sums of lab 02, with
 * the threads that add in each step kept together.
 *
 * Pointers are device pointers to arrays that the caller owns; input and output do not overlap and
 * the input must not be changed. 0 <= n < 2^31. Kernels run on the default stream, and add
 * in float. A call may return before the device has finished, or wait for it. The data are
 * multiples of 1/2 from -8 to 8, so every sum is exact in any order.
 */
#ifndef DIVERGENCE_FREE_REDUCTION_H
#define DIVERGENCE_FREE_REDUCTION_H

enum {
    DIVERGENCE_FREE_BLOCK = 256, /* threads per block */
    /* elements a block sums: two for each thread */
    DIVERGENCE_FREE_SECTION = 2 * DIVERGENCE_FREE_BLOCK
};

#ifdef __cplusplus
extern "C" {
#endif

/* One sum for each section of S = 512 elements: d_partial[b] = d_in[S b] + ... + d_in[S b + S - 1];
   the last section is as short as n leaves it. ceil(n / S) outputs, none for n = 0. One launch, a
   block for each section, which makes S - 1 additions in log2 S steps with a barrier each and reads
   every element from global memory once. In each step the threads that add are the first ones of
   the block, and the lanes of a warp access neighbouring words: no bank conflicts. Source: GPU
   Teaching Kit, module 9.3, the better reduction kernel. */
void reduce_compacted_partial(const float *d_in, float *d_partial, int n);

/* d_sum[0] = d_in[0] + ... + d_in[n-1]; 0 for n = 0. Partial sums of partial sums, launch after
   launch, until one value is left, as in lab 02. What it allocates it frees. */
void reduce_compacted_total(const float *d_in, float *d_sum, int n);

#ifdef __cplusplus
}
#endif

#endif
