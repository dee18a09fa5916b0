/*
 * steps.h: small kernels that try the functions of compaction.cu one by one, so that each TODO can
 * be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of compaction.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "compaction.h"
#include "elements.h"
#include "look_back.h"

/* A block of a step is one warp with ELEMENTS elements. */
static unsigned steps_blocks(long long n, int per_block)
{
    return (unsigned)((n - 1) / per_block + 1);
}

/* The flags of the lane's elements, and how many elements the warp has. */
static __device__ __forceinline__ unsigned step_flags(const int *d_flag, long long n, int *count)
{
    const long long first = (long long)blockIdx.x * ELEMENTS;
    unsigned flags = 0;

    *count = n - first < ELEMENTS ? (int)(n - first) : ELEMENTS;
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < *count && d_flag[first + index_in_tile(row)] != 0)
            flags |= 1u << row;
    return flags;
}

__global__ void step_ranks(const int *d_flag, int *d_rank, long long n)
{
    int rank[ROWS] = { 0 }, count;
    const unsigned flags = step_flags(d_flag, n, &count);

    rank_in_warp(flags, rank);
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            d_rank[(long long)blockIdx.x * ELEMENTS + index_in_tile(row)] = rank[row];
}

void compaction_ranks(const int *d_flag, int *d_rank, long long n)
{
    if (n > 0)
        step_ranks<<<steps_blocks(n, ELEMENTS), WARP>>>(d_flag, d_rank, n);
}

__global__ void step_heads(const float *d_keys, int *d_head, long long n)
{
    const long long first = (long long)blockIdx.x * TILE;
    const int count = n - first < TILE ? (int)(n - first) : TILE;
    value key[ROWS];

    load_tile(F32, d_keys, first, count, key);
    const unsigned heads = find_heads(F32, d_keys, first, count, key);
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            d_head[first + index_in_tile(row)] = (int)(heads >> row & 1);
}

void compaction_heads(const float *d_keys, int *d_head, long long n)
{
    if (n > 0)
        step_heads<<<steps_blocks(n, TILE), THREADS>>>(d_keys, d_head, n);
}

__global__ void step_open(const int *d_head, const int *d_value, int *d_open, int *d_last,
                          long long n)
{
    const long long first = (long long)blockIdx.x * ELEMENTS;
    int count;
    const unsigned heads = step_flags(d_head, n, &count);
    value item[ROWS], open[ROWS], last;

    if (d_value) {
        load_tile(I32, d_value, first, count, item);
        last = open_sums(I32, heads, item, open);
    } else {
        last = open_lengths(heads, count, open);
    }
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            d_open[first + index_in_tile(row)] = (int)open[row];
    if (threadIdx.x == 0)
        d_last[blockIdx.x] = (int)last;
}

/* One warp: the next ticket; before the first tile a window of tiles that tell what is kept. */
__global__ void step_far_open(descriptors d, long long tile)
{
    const long long before = tile - 1 - threadIdx.x;

    if (threadIdx.x == 0)
        *d.ticket = (unsigned)tile;
    if (tile == COMPACTION_FAR_TILE)
        d.word[before] = word_of(d, PREFIX, (before + 1) * TILE);
}

__global__ void __launch_bounds__(THREADS)
    step_far(const int *d_in, int *d_out, long long *d_count, descriptors d, long long n)
{
    __shared__ int s_item[TILE];
    select_tile(I32, SELECT, d_in, d_out, NULL, d_count, d, n, s_item);
}

void compaction_far_tiles(const int *d_in, int *d_out, long long *d_count, long long n)
{
    const long long far = COMPACTION_FAR_TILE, first = far * TILE;
    const unsigned tiles = n > 0 ? steps_blocks(n, TILE) : 0;
    unsigned long long *d_memory = NULL; /* ticket, words */
    const size_t bytes = (1 + WARP + tiles) * sizeof *d_memory;

    if (n <= 0)
        keep_nothing(d_count);
    if (n <= 0 || cudaMalloc((void **)&d_memory, bytes) != cudaSuccess)
        return;
    cudaMemsetAsync(d_memory, 0, bytes);
    const descriptors d = { (unsigned *)d_memory, d_memory + 1 + WARP - far, NULL, NULL, 1 };
    for (unsigned t = 0; t < tiles; t++) {
        step_far_open<<<1, WARP>>>(d, far + t);
        step_far<<<1, THREADS>>>(d_in - first, d_out - first, d_count, d, first + n);
    }
    cudaFree(d_memory);
}

void compaction_lengths(const int *d_head, int *d_open, int *d_last, long long n)
{
    if (n > 0)
        step_open<<<steps_blocks(n, ELEMENTS), WARP>>>(d_head, NULL, d_open, d_last, n);
}

void compaction_sums(const int *d_head, const int *d_value, int *d_open, int *d_last, long long n)
{
    if (n > 0)
        step_open<<<steps_blocks(n, ELEMENTS), WARP>>>(d_head, d_value, d_open, d_last, n);
}

#endif
