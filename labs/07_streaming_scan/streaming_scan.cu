/*
 * Chained scan of any n elements in one launch: each block takes a tile, scans it, waits for the
 * sum of all tiles before, and passes that sum plus its own tile's on to the next.
 *
 * Mapping   the k-th block that starts takes tile k; thread t loads and stores elements t, t + 256,
 *           ... of the tile, and scans the 7 consecutive ones from 7 t on in shared memory
 * Bytes     4n read, 4n written, and 24 for each tile: number, prefix and flag, each written once
 *           and read once; 4 more for each poll that finds no flag
 * Work      3S + T log2 T - (T - 1) + 1 = 7170 additions a tile of S = 1792 elements in T = 256
 *           runs: 4 an element
 * Depth     the chain's: one addition a tile, after 7 + log2 T of a tile's own
 * Source    Yan, Long and Zhang, "StreamScan", PPoPP 2013; GPU Teaching Kit, "Streaming" scan;
 *           dynamic tile numbers: Merrill and Garland, "Single-pass Parallel Prefix Scan with
 *           Decoupled Look-back", 2016, section 4.4
 */
#include <cuda_runtime.h>

#include "streaming_scan.h"

enum {
    THREADS = STREAMING_SCAN_THREADS,
    PER_THREAD = STREAMING_SCAN_PER_THREAD,
    TILE = STREAMING_SCAN_TILE
};

/* The tile of this block. Every thread must call it, once.
   TODO 1: blockIdx.x says nothing about the order in which blocks start. Let thread 0 take the next
   number from *d_next_tile, 0 before the first, by atomicAdd (it returns the old value), and hand
   it to all threads of the block. */
static __device__ int take_tile(int *d_next_tile) { return blockIdx.x; }

/* The sum of all tiles before this one; leaves the prefix of this tile for the next one's block.
   For one thread of the block. */
static __device__ float pass_on(int tile, float tile_sum, float *d_prefix, int *d_flag)
{
    float before = 0.0f;

    /* TODO 2: where there is a tile before this one, wait until its flag is set (all are 0 before
       the launch), and then take its prefix. Let every poll read memory, and nothing of the prefix
       before the flag is seen. */

    d_prefix[tile] = before + tile_sum;

    /* TODO 3: set this tile's flag, so that no other block sees it set before it can see the
       prefix. */

    return before;
}

/* The sum of a tile of count elements, in thread 0. Every thread of the block must call it: it
   meets barriers. */
static __device__ float sum_tile(const float *d_tile, int count)
{
    __shared__ float s_sum[THREADS];
    int t = threadIdx.x;
    float sum = 0.0f;

    for (int i = t; i < TILE; i += THREADS)
        sum += i < count ? d_tile[i] : 0.0f;
    s_sum[t] = sum;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s_sum[t] = sum += s_sum[t + stride];
    }
    return sum; /* not s_sum[0]: no barrier orders others' reads after its last addition */
}

/* Leaves in s_sum the inclusive scan of a tile of count elements, with zeros past its end. Every
   thread of the block must call it: it meets barriers, and ends with one. */
static __device__ void scan_tile(const float *d_tile, int count, float *s_sum)
{
    __shared__ float s_run[THREADS]; /* sums of the threads' runs */
    int t = threadIdx.x;
    int first = t * PER_THREAD;
    float sum = 0.0f;

    for (int i = t; i < TILE; i += THREADS)
        s_sum[i] = i < count ? d_tile[i] : 0.0f;
    __syncthreads();
    for (int k = 0; k < PER_THREAD; k++) {
        sum += s_sum[first + k];
        s_sum[first + k] = sum;
    }

    s_run[t] = sum;
    for (int stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        float left = t >= stride ? s_run[t - stride] : 0.0f;
        __syncthreads();
        if (t >= stride)
            s_run[t] += left;
    }
    __syncthreads();

    float before = t > 0 ? s_run[t - 1] : 0.0f;
    for (int k = 0; k < PER_THREAD; k++)
        s_sum[first + k] += before;
    __syncthreads();
}

__global__ void chain_prefixes(const float *d_in, float *d_prefix, int n, int *d_flag,
                               int *d_next_tile)
{
    int tile = take_tile(d_next_tile);
    int first = tile * TILE;
    float sum = sum_tile(d_in + first, n - first);

    if (threadIdx.x == 0)
        pass_on(tile, sum, d_prefix, d_flag);
}

__global__ void chain_scan(const float *d_in, float *d_out, int n, float *d_prefix, int *d_flag,
                           int *d_next_tile)
{
    __shared__ float s_sum[TILE];
    int tile = take_tile(d_next_tile);
    int first = tile * TILE;

    scan_tile(d_in + first, n - first, s_sum);
    if (threadIdx.x == 0)
        pass_on(tile, s_sum[TILE - 1], d_prefix, d_flag);

    /* TODO 4: let every thread know, and add, what pass_on returned to thread 0. */

    for (int i = threadIdx.x; i < TILE; i += THREADS)
        if (i < n - first)
            d_out[first + i] = s_sum[i];
}

static int tiles(int n)
{
    return (n - 1) / TILE + 1; /* rounded up, without overflow for the largest n */
}

/* Device memory of count zeros, filled without a launch. Null, and an error for the caller to find,
   if there is no room. */
static int *make_zeros(int count)
{
    int *d_zeros = NULL;

    if (cudaMalloc((void **)&d_zeros, count * sizeof *d_zeros) == cudaSuccess)
        cudaMemset(d_zeros, 0, count * sizeof *d_zeros);
    return d_zeros;
}

void streaming_scan_prefixes(const float *d_in, float *d_prefix, int n)
{
    if (n <= 0)
        return;
    int *d_flag = make_zeros(tiles(n)), *d_next_tile = make_zeros(1);

    if (d_flag && d_next_tile)
        chain_prefixes<<<tiles(n), THREADS>>>(d_in, d_prefix, n, d_flag, d_next_tile);
    cudaFree(d_next_tile);
    cudaFree(d_flag);
}

void streaming_scan(const float *d_in, float *d_out, int n)
{
    float *d_prefix = NULL;

    if (n <= 0)
        return;
    cudaMalloc((void **)&d_prefix, tiles(n) * sizeof *d_prefix);
    int *d_flag = make_zeros(tiles(n)), *d_next_tile = make_zeros(1);

    if (d_prefix && d_flag && d_next_tile)
        chain_scan<<<tiles(n), THREADS>>>(d_in, d_out, n, d_prefix, d_flag, d_next_tile);
    cudaFree(d_next_tile);
    cudaFree(d_flag);
    cudaFree(d_prefix);
}
