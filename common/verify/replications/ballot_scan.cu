/*
 * Exclusive scan of a block's predicates: the warps' part by ballot and popc, or as a scan of
 * 32-bit integers. Nothing else differs.
 *
 * Mapping   block b owns elements 512 b ... 512 b + 511, thread t its element t, in a register
 *           throughout
 * Bytes     4 read and 4 written for each element, once; then ROUNDS scans on the chip. Shared
 *           memory a block: 384 bytes, by sums through shared memory 4480
 * Depth     a round: 2 barriers; 1 ballot and 1 popc, or 5 steps, in each warp; 5 steps in the warp
 *           that scans the 16 warps' counts
 * Source    Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012, listings 3.1,
 *           3.3, 3.4 and 3.6, figure 3.2; replications.h says what a round is. Their 32-bit scan
 *           has no barrier in a warp, whose lanes were in step then: since Volta that is a RACE.
 *           The unsafe kernels are so, only to be measured; all others have the barrier. Never
 *           write the unsafe ones
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

/* both are constants wherever they are passed: the compiler makes five kernels of them */
enum how { BALLOT, SHUFFLE, SUMS };
enum barriers { OF_WARP, NONE };

/* The sum of value over the lanes before this one. s_sum: 2 * WARP words of the warp's own; the
   lower half is set to 0, so that a step may read past the warp's first lane. */
static __device__ __forceinline__ uint32_t prefix_sums(enum barriers barriers, uint32_t value,
                                                       uint32_t *s_sum, int lane)
{
    volatile uint32_t *s_kept = s_sum; /* each access stays where it stands, barrier or none */
    uint32_t sum = value;

    s_kept[lane] = 0;
#pragma unroll
    for (int delta = 1; delta < WARP; delta *= 2) {
        s_kept[WARP + lane] = sum;
        if (barriers == OF_WARP)
            __syncwarp();
        sum += s_kept[WARP + lane - delta];
        if (barriers == OF_WARP)
            __syncwarp();
    }
    return sum - value;
}

static __device__ __forceinline__ uint32_t prefix_shuffle(uint32_t value, int lane)
{
    uint32_t sum = value;

#pragma unroll
    for (int delta = 1; delta < WARP; delta *= 2) {
        uint32_t left = __shfl_up_sync(FULL, sum, delta);
        if (lane >= delta)
            sum += left;
    }
    return sum - value;
}

static __device__ __forceinline__ uint32_t prefix_ballot(int one)
{
    uint32_t before;

    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    return __popc(__ballot_sync(FULL, one) & before);
}

/* The sum over the warps before this one; upto: over this warp's lanes up to this one. The rounds
   take s_count by turns: a warp that goes ahead writes the other one, and stands at two barriers
   before it writes this one again. */
static __device__ __forceinline__ uint32_t warps_before(enum barriers barriers, uint32_t upto,
                                                        uint32_t *s_count, uint32_t *s_sum)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    if (lane == WARP - 1)
        s_count[warp] = upto;
    __syncthreads();
    if (warp == 0) {
        uint32_t before = prefix_sums(barriers, lane < WARPS ? s_count[lane] : 0, s_sum, lane);
        if (lane < WARPS)
            s_count[lane] = before;
    }
    __syncthreads();
    return s_count[warp];
}

static __device__ __forceinline__ uint32_t rounds(enum how how, enum barriers barriers,
                                                  uint32_t state, uint32_t *s_count,
                                                  uint32_t *s_sum)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

#pragma unroll 2
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t one = state >> 31, before;

        if (how == BALLOT)
            before = prefix_ballot((int32_t)state < 0);
        else if (how == SHUFFLE)
            before = prefix_shuffle(one, lane);
        else
            before = prefix_sums(barriers, one, s_sum + 2 * WARP * warp, lane);
        state = 5 * state + before +
                warps_before(barriers, before + one, s_count + (round & 1) * WARPS, s_sum);
    }
    return state;
}

/* rows: warps that have a place in s_sum. */
#define KERNEL(name, how, barriers, rows)                                                          \
    __global__ void __launch_bounds__(THREADS) name(const uint32_t *d_in, uint32_t *d_out)         \
    {                                                                                              \
        __shared__ uint32_t s_count[2 * WARPS], s_sum[2 * WARP * (rows)];                          \
        int i = blockIdx.x * THREADS + threadIdx.x;                                                \
                                                                                                   \
        d_out[i] = rounds(how, barriers, d_in[i], s_count, s_sum);                                 \
    }

KERNEL(scan_by_ballot, BALLOT, OF_WARP, 1)
KERNEL(scan_by_sums, SUMS, OF_WARP, WARPS)
KERNEL(scan_by_shuffles, SHUFFLE, OF_WARP, 1)
KERNEL(scan_by_ballot_unsafe, BALLOT, NONE, 1)
KERNEL(scan_by_sums_unsafe, SUMS, NONE, WARPS)

#define LAUNCH(name, kernel)                                                                       \
    void replication_scan_##name(const uint32_t *d_in, uint32_t *d_out, int blocks)                \
    {                                                                                              \
        kernel<<<blocks, THREADS>>>(d_in, d_out);                                                  \
    }

LAUNCH(ballot, scan_by_ballot)
LAUNCH(warp32, scan_by_sums)
LAUNCH(warp32_shuffle, scan_by_shuffles)
LAUNCH(ballot_unsafe, scan_by_ballot_unsafe)
LAUNCH(warp32_unsafe, scan_by_sums_unsafe)
