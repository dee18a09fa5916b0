/*
 * seeds.h: the kernels of three measurements that the kit's sources report, and what each must
 * compute.
 *
 * Every kernel does ROUNDS rounds of one small job on data that stays on the chip, and each round's
 * result goes into what the next one works on: nothing can be left out, done once for all, or
 * swapped, and the last state tells whether every round was right. All states are 32-bit unsigned
 * integers that wrap around, so that results are exact whatever the order of additions.
 *
 * A thread starts with d_in[i] and ends with d_out[i], i = blockIdx.x * (threads of a block) +
 * threadIdx.x.
 *
 *   barrier_count   a round: c = how many threads of the block have the top bit of their state set;
 *                   state = 5 state + c
 *   ballot_scan     a round: c = how many threads before this one in the block have it set; state =
 *                   5 state + c
 *   neighbour       a round: state = that of the next lane of the warp, lane 31 takes lane 0's; one
 *                   round more than ROUNDS, since a multiple of 32 would bring everything back to
 *                   where it was
 *   reduce          a round: state = state + sum of the warp's 32 states
 *   scan            a round: state = sum of the states of the warp's lanes up to this one
 *
 * Kernels are launched through functions in C; errors stay with the runtime (cudaGetLastError).
 * seeds.c knows no GPU.
 */
#ifndef GPU_SEEDS_H
#define GPU_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef SEEDS_COUNT_ROUNDS
#define SEEDS_COUNT_ROUNDS 1024
#endif
#ifndef SEEDS_WARP_ROUNDS
#define SEEDS_WARP_ROUNDS                                                                          \
    4096 /* in neighbour, reduce and scan, as in the source; the engine's test takes fewer */
#endif

enum {
    SEEDS_COUNT_THREADS = 512, /* of a block in barrier_count and ballot_scan, as in the
                                       source */
    SEEDS_WARP_THREADS = 1024, /* in neighbour, reduce and scan, as in the source */
    SEEDS_MAX_VARIANTS = 5
};

#ifdef __cplusplus
extern "C" {
#endif

typedef void seeds_launch(const uint32_t *d_in, uint32_t *d_out, int blocks);

/* barrier_count.cu. Source: Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012,
   figure 3.1. */
seeds_launch seeds_count_barrier;          /* __syncthreads_count */
seeds_launch seeds_count_reduce32;         /* tree in shared memory (Harris, "Optimizing
                                               Parallel Reduction in CUDA", 2007, kernel 5) */
seeds_launch seeds_count_reduce32_shuffle; /* shuffles in the warps, then across their sums: not
                                               in the source */

/* ballot_scan.cu. Source: the same, listings 3.1, 3.3, 3.4, 3.6, figure 3.2. */
seeds_launch seeds_scan_ballot;         /* ballot and popc in the warps, then a 32-bit scan
                                               of their counts */
seeds_launch seeds_scan_warp32;         /* a 32-bit scan through shared memory in the warps,
                                               then the same */
seeds_launch seeds_scan_warp32_shuffle; /* a 32-bit scan by shuffles in the warps, then the
                                               same: not in the source */
/* the first two without barriers in a warp, as printed in 2012: races */
seeds_launch seeds_scan_ballot_unsafe, seeds_scan_warp32_unsafe;

/* shuffle.cu. Source: Demouth, "Shuffle: Tips and Tricks", GTC 2013. safe: __syncthreads; warp:
   __syncwarp, not in the source; unsafe: no barrier at all, a race. */
seeds_launch seeds_neighbour_shuffle, seeds_neighbour_safe, seeds_neighbour_warp,
    seeds_neighbour_unsafe;
seeds_launch seeds_reduce_shuffle, seeds_reduce_safe, seeds_reduce_warp, seeds_reduce_unsafe;
seeds_launch seeds_scan_shuffle, seeds_scan_safe, seeds_scan_warp, seeds_scan_unsafe;

/* clock.cu: one thread looks at its multiprocessor's clock until so many cycles have passed. */
void seeds_spin(long long cycles);

#ifdef __cplusplus
}
#endif

typedef struct seeds_variant {
    const char *name; /* as in the CSV file */
    seeds_launch *launch;
    bool races; /* on purpose: only there to be measured */
} seeds_variant;

/* What all variants must make of in: the plain sequential way, for blocks * threads elements. */
typedef void seeds_reference(const uint32_t *in, uint32_t *out, int blocks);

typedef struct seeds_job {
    const char *name;
    int threads, rounds;
    seeds_reference *reference;
    unsigned variants;
    seeds_variant variant[SEEDS_MAX_VARIANTS];
} seeds_job;

enum {
    SEEDS_BARRIER_COUNT,
    SEEDS_BALLOT_SCAN,
    SEEDS_NEIGHBOUR,
    SEEDS_REDUCE,
    SEEDS_SCAN,
    SEEDS_JOBS
};
extern const seeds_job seeds_jobs[SEEDS_JOBS];

#endif
