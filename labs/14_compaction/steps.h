/*
 * steps.h: small kernels that try the functions of compaction.cu one by one, so that each TODO can
 * be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of compaction.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "compaction.h"
#include "look_back.h"
#include "tile_steps.h"

__global__ void step_ranks(const int *d_flag, int *d_rank, int *d_kept, long long n)
{
    const long long first = (long long)blockIdx.x * TILE;
    const int count = n - first < TILE ? (int)(n - first) : TILE;
    int rank[ROWS] = { 0 };
    unsigned flags = 0;

#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count && d_flag[first + index_in_tile(row)] != 0)
            flags |= 1u << row;
    d_kept[blockIdx.x * THREADS + threadIdx.x] = rank_in_warp(flags, rank);
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            d_rank[first + index_in_tile(row)] = rank[row];
}

void compaction_ranks(const int *d_flag, int *d_rank, int *d_kept, long long n)
{
    if (n > 0)
        step_ranks<<<steps_blocks(n, TILE), THREADS>>>(d_flag, d_rank, d_kept, n);
}

__global__ void __launch_bounds__(THREADS)
    step_far(const int *d_in, int *d_out, long long *d_count, descriptors d, long long n)
{
    __shared__ int s_item[TILE];
    select_tile(I32, SELECT, d_in, d_out, NULL, d_count, d, n, s_item);
}

__global__ void __launch_bounds__(THREADS)
    step_far_partition(const int *d_in, int *d_out, int *d_rest, long long *d_count, descriptors d,
                       long long n)
{
    __shared__ int s_item[TILE];
    select_tile(I32, PARTITION, d_in, d_out, d_rest, d_count, d, n, s_item);
}

void compaction_far_tiles(const int *d_in, int *d_out, long long *d_count, long long n)
{
    const long long far = COMPACTION_FAR_TILE, first = far * TILE;
    const unsigned tiles = n > 0 ? steps_blocks(n, TILE) : 0;
    descriptors d;

    if (n <= 0)
        keep_nothing(d_count);
    if (n <= 0 || !open_far_descriptors(far, tiles, &d))
        return;
    for (unsigned t = 0; t < tiles; t++) {
        step_far_open<<<1, 1>>>(d, far + t, t == 0, first);
        step_far<<<1, THREADS>>>(d_in - first, d_out - first, d_count, d, first + n);
    }
    cudaFree(d.ticket);
}

void compaction_far_partition(const int *d_in, int *d_out, int *d_rest, long long *d_count,
                              long long n)
{
    const long long far = COMPACTION_FAR_TILE, first = far * TILE;
    const unsigned tiles = n > 0 ? steps_blocks(n, TILE) : 0;
    descriptors d;

    if (n <= 0)
        keep_nothing(d_count);
    if (n <= 0 || !open_far_descriptors(far, tiles, &d))
        return;
    for (unsigned t = 0; t < tiles; t++) {
        step_far_open<<<1, 1>>>(d, far + t, t == 0, 0);
        step_far_partition<<<1, THREADS>>>(d_in - first, d_out, d_rest - first, d_count, d,
                                           first + n);
    }
    cudaFree(d.ticket);
}

#endif
