/*
 * replications.h: the kernels of three measurements that the kit's sources report, and what each
 * must compute.
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
 * replications.c knows no GPU.
 */
#ifndef GPU_REPLICATIONS_H
#define GPU_REPLICATIONS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef REPLICATION_COUNT_ROUNDS
#define REPLICATION_COUNT_ROUNDS 1024
#endif
#ifndef REPLICATION_WARP_ROUNDS
/* in neighbour, reduce and scan, as in the source; the engine's test takes fewer */
#define REPLICATION_WARP_ROUNDS 4096
#endif

enum {
    /* of a block in barrier_count and ballot_scan, as in the source */
    REPLICATION_COUNT_THREADS = 512,
    REPLICATION_WARP_THREADS = 1024, /* in neighbour, reduce and scan, as in the source */
    REPLICATION_MAX_VARIANTS = 5
};

#ifdef __cplusplus
extern "C" {
#endif

typedef void replication_launch(const uint32_t *d_in, uint32_t *d_out, int blocks);

/* barrier_count.cu. Source: Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012,
   figure 3.1. */
replication_launch replication_count_barrier; /* __syncthreads_count */
/* tree in shared memory (Harris, "Optimizing Parallel Reduction in CUDA", 2007, kernel 5) */
replication_launch replication_count_reduce32;
/* shuffles in the warps, then across their sums: not in the source */
replication_launch replication_count_reduce32_shuffle;

/* ballot_scan.cu. Source: the same, listings 3.1, 3.3, 3.4, 3.6, figure 3.2. */
/* ballot and popc in the warps, then a 32-bit scan of their counts */
replication_launch replication_scan_ballot;
/* a 32-bit scan through shared memory in the warps, then the same */
replication_launch replication_scan_warp32;
/* a 32-bit scan by shuffles in the warps, then the same: not in the source */
replication_launch replication_scan_warp32_shuffle;
/* the first two without barriers in a warp, as printed in 2012: races */
replication_launch replication_scan_ballot_unsafe, replication_scan_warp32_unsafe;

/* shuffle.cu. Source: Demouth, "Shuffle: Tips and Tricks", GTC 2013. safe: __syncthreads; warp:
   __syncwarp, not in the source; unsafe: no barrier at all, a race. */
replication_launch replication_neighbour_shuffle, replication_neighbour_safe,
    replication_neighbour_warp, replication_neighbour_unsafe;
replication_launch replication_reduce_shuffle, replication_reduce_safe, replication_reduce_warp,
    replication_reduce_unsafe;
replication_launch replication_scan_shuffle, replication_scan_safe, replication_scan_warp,
    replication_scan_unsafe;

/* clock.cu: one thread looks at its multiprocessor's clock until so many cycles have passed. */
void replication_spin(long long cycles);

#ifdef __cplusplus
}
#endif

typedef struct replication_variant {
    const char *name; /* as in the CSV file */
    replication_launch *launch;
    bool races; /* on purpose: only there to be measured */
} replication_variant;

/* What all variants must make of in: the plain sequential way, for blocks * threads elements. */
typedef void replication_reference(const uint32_t *in, uint32_t *out, int blocks);

typedef struct replication_job {
    const char *name;
    int threads, rounds;
    replication_reference *reference;
    unsigned variants;
    replication_variant variant[REPLICATION_MAX_VARIANTS];
} replication_job;

enum {
    REPLICATION_BARRIER_COUNT,
    REPLICATION_BALLOT_SCAN,
    REPLICATION_NEIGHBOUR,
    REPLICATION_REDUCE,
    REPLICATION_SCAN,
    REPLICATION_JOBS
};
extern const replication_job replication_jobs[REPLICATION_JOBS];

#endif
