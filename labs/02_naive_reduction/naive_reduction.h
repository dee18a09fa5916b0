/*
 * Lab 02, the contract: what naive_reduction.cu must provide. Sums on the device, by an interleaved
 * tree in shared memory.
 *
 * Pointers are device pointers to arrays that the caller owns; input and output do not overlap and
 * the input must not be changed. 0 <= n < 2^31. Kernels run on the default stream, where launches
 * that name no stream go, and add in float. A call may return before the device has finished, or
 * wait for it. An entry reports no errors of its own: the caller asks cudaGetLastError. The data
 * are multiples of 1/2 from -8 to 8, so every sum is exact in any order.
 */
#ifndef NAIVE_REDUCTION_H
#define NAIVE_REDUCTION_H

enum {
    NAIVE_REDUCTION_BLOCK = 256, /* threads per block */
    /* elements a block sums: two for each thread */
    NAIVE_REDUCTION_SECTION = 2 * NAIVE_REDUCTION_BLOCK
};

#ifdef __cplusplus
extern "C" {
#endif

/* One sum for each section of S = 512 elements: d_partial[b] = d_in[S b] + ... + d_in[S b + S - 1];
   the last section is as short as n leaves it. ceil(n / S) outputs, none for n = 0. One launch, a
   block for each section, which makes S - 1 additions in log2 S steps with a barrier each and reads
   every element from global memory once. Source: GPU Teaching Kit, module 9.2, the basic reduction
   kernel. */
void reduce_naive_partial(const float *d_in, float *d_partial, int n);

/* d_sum[0] = d_in[0] + ... + d_in[n-1]; 0 for n = 0. Partial sums of partial sums, launch after
   launch, until one value is left: one launch for n <= S, two for n <= S^2, and so on. What it
   allocates it frees. Source: GPU Teaching Kit, module 9.2, iterating over the partial sums. */
void reduce_naive_total(const float *d_in, float *d_sum, int n);

#ifdef __cplusplus
}
#endif

#endif
