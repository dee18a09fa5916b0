/*
 * How many threads of a block are true: by the barrier that counts, and by adding up 32-bit
 * integers.
 *
 * Mapping   block b owns elements 512 b ... 512 b + 511, thread t its element t, in a register
 *           throughout
 * Bytes     4 read and 4 written for each element, once; then ROUNDS counts on the chip. Shared
 *           memory: none, 4096, 128 bytes a block
 * Work      a round of a block: none of its own; 511 additions; 2 * 5 shuffles and additions a warp
 * Source    Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012, figure 3.1;
 *           replications.h says what a round is
 *
 * Hazard, in both sums: a thread that goes ahead into the next round must not write what a slower
 * one still reads. The rounds take two buffers by turns instead of a barrier more: what the round
 * before last has read is two barriers behind. The loops of all three are unrolled alike, by 2.
 */
#include <cuda_runtime.h>

#include "replications.h"

enum {
    THREADS = REPLICATION_COUNT_THREADS,
    ROUNDS = REPLICATION_COUNT_ROUNDS,
    WARP = 32,
    WARPS = THREADS / WARP
};

#define FULL 0xffffffffu /* all lanes of a warp */

__global__ void __launch_bounds__(THREADS) count_by_barrier(const uint32_t *d_in, uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    uint32_t state = d_in[i];

#pragma unroll 2
    for (int round = 0; round < ROUNDS; round++)
        state = 5 * state + __syncthreads_count((int32_t)state < 0);
    d_out[i] = state;
}

/* The sum over the block, for all its threads: half of the threads at a time, the last warp without
   the block's barrier. */
static __device__ uint32_t block_sum(uint32_t value, uint32_t *s_sum)
{
    int t = threadIdx.x;
    uint32_t sum = value;

    s_sum[t] = sum;
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half > WARP; half /= 2) {
        if (t < half)
            s_sum[t] = sum += s_sum[t + half];
        __syncthreads();
    }
    if (t < WARP) {
        sum += s_sum[t + WARP];
#pragma unroll
        for (int half = WARP / 2; half > 0; half /= 2) {
            s_sum[t] = sum;
            __syncwarp();
            /* from lane half on: of no use, and nobody's slot of this step */
            sum += s_sum[t + half];
            __syncwarp();
        }
        if (t == 0)
            s_sum[0] = sum;
    }
    __syncthreads();
    return s_sum[0];
}

__global__ void __launch_bounds__(THREADS) count_by_sums(const uint32_t *d_in, uint32_t *d_out)
{
    __shared__ uint32_t s_sum[2][THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    uint32_t state = d_in[i];

#pragma unroll 2
    for (int round = 0; round < ROUNDS; round++)
        state = 5 * state + block_sum(state >> 31, s_sum[round & 1]);
    d_out[i] = state;
}

static __device__ uint32_t warp_sum(uint32_t value)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(FULL, value, distance);
    return value;
}

__global__ void __launch_bounds__(THREADS) count_by_shuffles(const uint32_t *d_in, uint32_t *d_out)
{
    __shared__ uint32_t s_sum[2][WARPS];
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
    int i = blockIdx.x * THREADS + t;
    uint32_t state = d_in[i];

#pragma unroll 2
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t *s_now = s_sum[round & 1];
        uint32_t sum = warp_sum(state >> 31);

        if (lane == 0)
            s_now[warp] = sum;
        __syncthreads();
        /* Every warp adds up all sums for itself: no second barrier. */
        state = 5 * state + warp_sum(lane < WARPS ? s_now[lane] : 0);
    }
    d_out[i] = state;
}

void replication_count_barrier(const uint32_t *d_in, uint32_t *d_out, int blocks)
{
    count_by_barrier<<<blocks, THREADS>>>(d_in, d_out);
}

void replication_count_reduce32(const uint32_t *d_in, uint32_t *d_out, int blocks)
{
    count_by_sums<<<blocks, THREADS>>>(d_in, d_out);
}

void replication_count_reduce32_shuffle(const uint32_t *d_in, uint32_t *d_out, int blocks)
{
    count_by_shuffles<<<blocks, THREADS>>>(d_in, d_out);
}
