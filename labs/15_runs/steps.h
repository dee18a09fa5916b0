/*
 * steps.h: small kernels that try the functions of runs.cu one by one, so that each TODO can be
 * graded before the next is written. For inclusion by that file, at its end. The entries are those
 * of runs.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "../14_compaction/tile_steps.h"
#include "keys.h"
#include "pairs.h"
#include "runs.h"

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

void runs_heads(const float *d_keys, int *d_head, long long n)
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

void runs_open_lengths(const int *d_head, int *d_open, int *d_last, long long n)
{
    if (n > 0)
        step_open<<<steps_blocks(n, ELEMENTS), WARP>>>(d_head, NULL, d_open, d_last, n);
}

void runs_open_sums(const int *d_head, const int *d_value, int *d_open, int *d_last, long long n)
{
    if (n > 0)
        step_open<<<steps_blocks(n, ELEMENTS), WARP>>>(d_head, d_value, d_open, d_last, n);
}

/* One thread: the run that element 0 begins; tile `far` goes on with it. d_values may be null. */
__global__ void step_far_run(pair_descriptors d, long long far, long long heads, const int *d_keys,
                             const float *d_values, int *d_unique, void *d_totals,
                             long long *d_count)
{
    const value open = d_values ? load_element(F32, d_values, 0) : 1;

    d.tiles.word[far - 1] = word_of(d.tiles, PREFIX, heads);
    d.prefix[far - 1] = open;
    d_unique[0] = d_keys[0];
    store_element(I32, d_totals, 0, open);
    *d_count = heads;
}

__global__ void __launch_bounds__(THREADS)
    step_far_runs(const int *d_keys, int *d_unique, int *d_lengths, long long *d_count,
                  pair_descriptors d, long long n)
{
    __shared__ int s_item[TILE];
    runs_tile(I32, I32, d_keys, NULL, d_unique, d_lengths, d_count, d, n, s_item);
}

__global__ void __launch_bounds__(THREADS)
    step_far_by_key(const int *d_keys, const float *d_values, int *d_unique, float *d_sums,
                    long long *d_count, pair_descriptors d, long long n)
{
    __shared__ int s_item[TILE];
    runs_tile(I32, F32, d_keys, d_values, d_unique, d_sums, d_count, d, n, s_item);
}

/* One of the two is null: d_values, with d_lengths, or d_lengths. */
static void far_runs(const int *d_keys, const float *d_values, int *d_unique, int *d_lengths,
                     float *d_sums, long long *d_count, long long n)
{
    enum { ALIGNED = 64 }; /* elements, so that tiles begin where those of an array do */
    const long long far = COMPACTION_FAR_TILE, first = far * TILE, heads = first;
    const unsigned tiles = n > 1 ? steps_blocks(n - 1, TILE) : 0;
    const size_t bytes = (size_t)(n > 0 ? n : 0) * sizeof(int),
                 room = ALIGNED * sizeof(int) + bytes, places = WARP + (size_t)tiles;
    int *d_key = NULL;
    float *d_value = NULL;
    value *d_open = NULL; /* aggregates, prefixes; of a window of tiles before `far`, too */
    pair_descriptors d = { { NULL, NULL, 0 }, NULL, NULL };
    void *d_totals = d_values ? (void *)d_sums : (void *)d_lengths;

    if (n <= 0)
        keep_nothing(d_count);
    if (n <= 0 || cudaMalloc((void **)&d_key, room) != cudaSuccess ||
        cudaMalloc((void **)&d_value, room) != cudaSuccess ||
        cudaMalloc((void **)&d_open, 2 * places * sizeof *d_open) != cudaSuccess ||
        !open_far_descriptors(far, tiles, &d.tiles))
        goto free;
    d.aggregate = d_open + WARP - far;
    d.prefix = d.aggregate + places;
    cudaMemcpyAsync(d_key + ALIGNED - 1, d_keys, bytes, cudaMemcpyDeviceToDevice);
    if (d_values)
        cudaMemcpyAsync(d_value + ALIGNED - 1, d_values, bytes, cudaMemcpyDeviceToDevice);
    step_far_run<<<1, 1>>>(d, far, heads, d_keys, d_values, d_unique, d_totals, d_count);
    for (unsigned t = 0; t < tiles; t++) {
        step_far_open<<<1, 1>>>(d.tiles, far + t, false, 0);
        if (d_values)
            step_far_by_key<<<1, THREADS>>>(d_key + ALIGNED - first, d_value + ALIGNED - first,
                                            d_unique + 1 - heads, d_sums + 1 - heads, d_count, d,
                                            first + n - 1);
        else
            step_far_runs<<<1, THREADS>>>(d_key + ALIGNED - first, d_unique + 1 - heads,
                                          d_lengths + 1 - heads, d_count, d, first + n - 1);
    }
free:
    cudaFree(d.tiles.ticket);
    cudaFree(d_open);
    cudaFree(d_value);
    cudaFree(d_key);
}

void runs_far_lengths(const int *d_keys, int *d_unique, int *d_lengths, long long *d_count,
                      long long n)
{
    far_runs(d_keys, NULL, d_unique, d_lengths, NULL, d_count, n);
}

void runs_far_sums(const int *d_keys, const float *d_values, int *d_unique, float *d_sums,
                   long long *d_count, long long n)
{
    far_runs(d_keys, d_values, d_unique, NULL, d_sums, d_count, n);
}

#endif
