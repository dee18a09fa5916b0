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

#include "block_scan.h"
#include "replications.h"

enum { ROUNDS = REPLICATION_COUNT_ROUNDS };

/* The rounds take s_count by turns: a warp that goes ahead writes the other one, and stands at two
   barriers before it writes this one again. */
static __device__ __forceinline__ uint32_t rounds(enum how how, enum barriers barriers,
                                                  uint32_t state, uint32_t *s_count,
                                                  uint32_t *s_sum)
{
#pragma unroll 2
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t one = state >> 31, before = warp_before(how, barriers, one, s_sum);

        state = 5 * state + before +
                warps_before(barriers, before + one, s_count + (round & 1) * WARPS, s_sum);
    }
    return state;
}

#define KERNEL(name, how, barriers)                                                                \
    __global__ void __launch_bounds__(THREADS) name(const uint32_t *d_in, uint32_t *d_out)         \
    {                                                                                              \
        __shared__ uint32_t s_count[2 * WARPS], s_sum[2 * WARP * ROWS_OF(how)];                    \
        int i = blockIdx.x * THREADS + threadIdx.x;                                                \
                                                                                                   \
        d_out[i] = rounds(how, barriers, d_in[i], s_count, s_sum);                                 \
    }

KERNEL(scan_by_ballot, BALLOT, OF_WARP)
KERNEL(scan_by_sums, SUMS, OF_WARP)
KERNEL(scan_by_shuffles, SHUFFLE, OF_WARP)
KERNEL(scan_by_ballot_unsafe, BALLOT, NONE)
KERNEL(scan_by_sums_unsafe, SUMS, NONE)

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
