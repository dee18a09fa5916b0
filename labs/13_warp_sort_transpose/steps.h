/*
 * steps.h: small kernels that try exchange and served of warp_sort_transpose.cu on their own, so
 * that each can be graded before the next TODO is written. For inclusion by that file, at its end.
 * The entries are those of warp_sort_transpose.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "warp_sort_transpose.h"

enum { STEP_THREADS = WARP_SORT_TRANSPOSE_THREADS };

__global__ void step_exchange(const int *d_key, int *d_out, int n)
{
    const int i = blockIdx.x * STEP_THREADS + threadIdx.x;
    const int key = exchange(i < n ? d_key[i] : 0x7fffffff, 4, (threadIdx.x & 4) == 0);

    if (i < n)
        d_out[i] = key;
}

void sort_exchange(const int *d_key, int *d_out, int n)
{
    if (n > 0)
        step_exchange<<<(n - 1) / STEP_THREADS + 1, STEP_THREADS>>>(d_key, d_out, n);
}

__global__ void step_served(const int *d_index, int *d_lane, int n)
{
    const int i = blockIdx.x * STEP_THREADS + threadIdx.x;

    if (i < n)
        d_lane[i] = served(d_index[i] % 32, d_index[i] / 32);
}

void structures_served(const int *d_index, int *d_lane, int n)
{
    if (n > 0)
        step_served<<<(n - 1) / STEP_THREADS + 1, STEP_THREADS>>>(d_index, d_lane, n);
}

#endif
