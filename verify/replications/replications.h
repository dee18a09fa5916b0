/*
 * replications.h: the kernels of measurements that the kit's sources report, and what each must
 * compute.
 *
 * A job works on units: blocks of threads, systems of equations, a matrix. A unit has so many words
 * of input, so many of result, and so many of scratch memory, which stand behind all results:
 *
 *   launch(d_in, d_out, units)   d_in[in * units], d_out[(out + scratch) * units], in 32-bit words
 *
 * In the first five jobs and in the last two data stays on the chip. Each does ROUNDS rounds of one
 * small job, and each round's result goes into what the next one works on: nothing can be left out,
 * done once for all, or swapped, and the last state tells whether every round was right. All states
 * are 32-bit unsigned integers that wrap around, so that results are exact whatever the order of
 * additions. But for the last two, a thread starts with d_in[i] and ends with d_out[i], i =
 * blockIdx.x * (threads of a block) + threadIdx.x.
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
 * The others take their data from memory; a block has 512 words in binary_scan to block_radix_sort.
 *
 *   binary_scan       out[i] = how many words before in[i], of all blocks', have their top bit set
 *   compaction        those words, in order; what is behind them is left as it was
 *   radix_sort        all words, in order
 *   block_radix_sort  each block's words, in order
 *   spmv              a sparse matrix (CSR) times a vector, floats. All are small integers, so that
 *                     sums are exact
 *   tridiagonal       a unit is a system of 256 rows, its a, b, c and d one after the other, floats
 *   select_if, partition_if, run_length_encode, reduce_by_key
 *                     a unit has 512 elements. The results: n words of what is kept, or the first
 *                     key of each run; n words of the rest, of lengths, or of sums; how many are
 *                     kept, or runs, a long long. The rest of them is left as it was. Kept is what
 *                     has its top bit clear. By key: n keys, then n values, floats, small integers
 *   water_small, water_large
 *                     shallow water on a square grid: a unit is one of its rows, and there are as
 *                     many as a row has cells. Grounds of all cells, heights before and now; the
 *                     heights after some steps as in lab 21
 *   water_copy        16 bytes read a cell and 16 written, as in a step
 *   structures_N      a structure of N words becomes its running sums; a block has 256 structures
 *   transpose_N       data stays on the chip. A warp has 32 N words, lane l of row r the word 32 r
 *                     + l; a round: the lane's row f = the word N l + f. One round more than
 *                     ROUNDS, as for neighbour
 *
 * Kernels are launched through functions in C; errors stay with the runtime (cudaGetLastError).
 * replications.c and applications.c know no GPU.
 */
#ifndef GPU_REPLICATIONS_H
#define GPU_REPLICATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef REPLICATION_COUNT_ROUNDS
#define REPLICATION_COUNT_ROUNDS 1024
#endif
#ifndef REPLICATION_WARP_ROUNDS
/* in neighbour, reduce and scan, as in the source; the engine's test takes fewer */
#define REPLICATION_WARP_ROUNDS 4096
#endif
#ifndef REPLICATION_SUM_THREADS
/* of the block that scans the sums of blocks in inside.cu; the engine's test takes fewer */
#define REPLICATION_SUM_THREADS 1024
#endif
#ifndef REPLICATION_WATER_STEPS
#define REPLICATION_WATER_STEPS 16 /* of water_small; the engine's test takes fewer */
#endif
#ifndef REPLICATION_WATER_SIDE
#define REPLICATION_WATER_SIDE 4096 /* of water_large; the engine's test has a smaller grid */
#endif

enum {
    /* of a block in barrier_count and ballot_scan, as in the source */
    REPLICATION_COUNT_THREADS = 512,
    REPLICATION_WARP_THREADS = 1024, /* in neighbour, reduce and scan, as in the source */
    REPLICATION_MAX_VARIANTS = 5,

    /* of spmv, as in the source */
    SPMV_ROWS = 3242,
    SPMV_NONZEROS = 294276,
    /* where things stand in its input, in words: SPMV_ROWS + 1 offsets of rows; columns; values;
       the vector; a byte for each nonzero, 1 for the last one of its row */
    SPMV_COLUMNS_AT = SPMV_ROWS + 1,
    SPMV_VALUES_AT = SPMV_COLUMNS_AT + SPMV_NONZEROS,
    SPMV_VECTOR_AT = SPMV_VALUES_AT + SPMV_NONZEROS,
    SPMV_LAST_AT = SPMV_VECTOR_AT + SPMV_ROWS,
    SPMV_IN = SPMV_LAST_AT + (SPMV_NONZEROS + 3) / 4,
    SPMV_TILE = 512, /* nonzeros of a block */
    SPMV_TILES = (SPMV_NONZEROS + SPMV_TILE - 1) / SPMV_TILE,
    SPMV_SCRATCH = 2 * SPMV_NONZEROS + 3 * SPMV_TILES,

    SYSTEM_ROWS = 256, /* of a system, and systems, as in the source */
    TRIDIAGONAL_SCRATCH = 4 * (SYSTEM_ROWS + SYSTEM_ROWS / 32),
    INSIDE_SCRATCH = 2 * REPLICATION_COUNT_THREADS + 2, /* words of a block */

    PASSES_WORDS = 512,                /* elements of a unit of select_if and the like */
    PASSES_OUT = 2 * PASSES_WORDS + 4, /* what stands behind them begins at 16 bytes */
    PASSES_SCRATCH = 3 * PASSES_WORDS + 4,
    PASSES_UNITS = 1 << 16, /* 2^25 elements, as in the source */
    PASSES_RUN = 500,       /* elements of a run on average, as in the source */

    WATER_SMALL = 256, /* cells of a row and of a column, as in the source */
    WATER_SIDE = REPLICATION_WATER_SIDE,
    WATER_LARGE_STEPS = 2,
    WATER_COPIED = 4,                                        /* words of a cell */
    WATER_SHARED_OF_COLUMN = (32 + 6) * 4 * WATER_SIDE / 32, /* bytes */

    STRUCTURE_THREADS = 256, /* of a block, as in the source */
    STRUCTURE_MOST = 16,     /* words */
    STRUCTURE_UNITS = 1 << 14,

    REPLICATION_FILL = -1,    /* units: as many blocks as the GPU holds at a time */
    REPLICATION_POISON = 0xA5 /* every byte of results and scratch before a launch */
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

/* inside.cu. Source: Harris and Garland, section 3.3; the scans of bits are ballot_scan.cu's. */
replication_launch replication_binary_scan_ballot, replication_binary_scan_warp32,
    replication_binary_scan_shuffle;
replication_launch replication_compaction_ballot, replication_compaction_warp32,
    replication_compaction_shuffle;
replication_launch replication_radix_sort_ballot, replication_radix_sort_warp32,
    replication_radix_sort_shuffle;
replication_launch replication_block_sort_ballot, replication_block_sort_warp32,
    replication_block_sort_shuffle;

/* spmv.cu. Source: Sengupta, Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007. */
replication_launch replication_spmv_products; /* writes value times x for each nonzero */
replication_launch replication_spmv_scan;     /* backward, of each row: three kernels */
replication_launch replication_spmv_gather;   /* takes each row's first sum */
replication_launch replication_spmv;          /* all of them */

/* tridiagonal.cu. Source: the same. Cyclic reduction, all alike but where the rows stand. */
replication_launch replication_tridiagonal_global;
replication_launch replication_tridiagonal_shared;
/* a word is left free after every 32: not in the source */
replication_launch replication_tridiagonal_padded;

/* single_pass.c (the solutions of labs 14 and 15) and multi_pass.cu. Source: Merrill and Garland,
   Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016, section 5.2, figure 12. reduced:
   flags, reduce-then-scan, scatter; propagated: by scan-then-propagate. */
replication_launch replication_select_single, replication_select_reduced,
    replication_select_propagated;
replication_launch replication_partition_single, replication_partition_reduced,
    replication_partition_propagated;
replication_launch replication_runs_single, replication_runs_reduced, replication_runs_propagated;
replication_launch replication_by_key_single, replication_by_key_reduced,
    replication_by_key_propagated;

/* water.c (the solution of lab 21) and water.cu. Source: Sengupta, Harris, Zhang and Owens; the
   large grid is not in the source. columns_N: N columns a block. copy: by the runtime. */
replication_launch replication_water_small;
replication_launch replication_water_columns_8, replication_water_columns_4;
replication_launch replication_water_copy;

/* structures.cu. Source: Demouth, "Shuffle: Tips and Tricks", GTC 2013. direct: each lane fetches
   and stores its own; safe: __syncthreads; warp and shared: __syncwarp. */
replication_launch replication_structures_2_shuffle, replication_structures_2_shared,
    replication_structures_2_direct;
replication_launch replication_structures_3_shuffle, replication_structures_3_shared,
    replication_structures_3_direct;
replication_launch replication_structures_4_shuffle, replication_structures_4_shared,
    replication_structures_4_direct;
replication_launch replication_structures_5_shuffle, replication_structures_5_shared,
    replication_structures_5_direct;
replication_launch replication_structures_8_shuffle, replication_structures_8_shared,
    replication_structures_8_direct;
replication_launch replication_structures_16_shuffle, replication_structures_16_shared,
    replication_structures_16_direct;
replication_launch replication_transpose_3_shuffle, replication_transpose_3_safe,
    replication_transpose_3_warp;
replication_launch replication_transpose_8_shuffle, replication_transpose_8_safe,
    replication_transpose_8_warp;

/* clock.cu: one thread looks at its multiprocessor's clock until so many cycles have passed. */
void replication_spin(long long cycles);

#ifdef __cplusplus
}
#endif

typedef struct replication_variant {
    const char *name; /* as in the CSV file */
    replication_launch *launch;
    bool races; /* on purpose: only there to be measured */
    /* what has to run before and after the launch, and is not measured; null: nothing */
    replication_launch *before, *after;
    int shared; /* bytes of a block, where a GPU may have less: there it is left out */
} replication_variant;

/* What all variants must make of in: the plain sequential way. out holds REPLICATION_POISON. */
typedef void replication_reference(const uint32_t *in, uint32_t *out, int units);

struct rng;
typedef void replication_draw(uint32_t *in, int units, struct rng *random);

typedef struct replication_job {
    const char *name;
    int threads, rounds;    /* rounds: in one launch; 0: it has none */
    int in, out, scratch;   /* words of a unit */
    replication_draw *draw; /* null: random words */
    replication_reference *reference;
    /* reference(units together) is what it is of each alone, in a row */
    bool divisible;
    bool cold;   /* its data comes from memory, not from a cache */
    float bound; /* of errors of floats, as part of the greater of 1 and what is right; 0: words
                      are equal */
    int counted; /* units whose instructions the engine counts; 0: it does not */
    /* of which other data may take a part in so many more or fewer; 0: none */
    unsigned slack;
    int units;    /* on the GPU; 0: several grids */
    int elements; /* of a unit; 0: there is no n */
    int words;    /* of a structure; 0: there are none */
    int steps;    /* that a launch does, and the time is of one; 0: there are none */
    unsigned variants;
    replication_variant variant[REPLICATION_MAX_VARIANTS];
} replication_job;

/* How many of the first `words` results are wrong; *first: the first of them. */
size_t replication_wrong(const replication_job *job, const uint32_t *expected, const uint32_t *got,
                         size_t words, size_t *first);

/* Fills the input of so many units. */
void replication_fill(const replication_job *job, uint32_t *in, int units, struct rng *random);

enum {
    REPLICATION_BARRIER_COUNT,
    REPLICATION_BALLOT_SCAN,
    REPLICATION_NEIGHBOUR,
    REPLICATION_REDUCE,
    REPLICATION_SCAN,
    REPLICATION_BINARY_SCAN,
    REPLICATION_COMPACTION,
    REPLICATION_RADIX_SORT,
    REPLICATION_BLOCK_SORT,
    REPLICATION_SPMV,
    REPLICATION_TRIDIAGONAL,
    REPLICATION_SELECT,
    REPLICATION_PARTITION,
    REPLICATION_RUNS,
    REPLICATION_BY_KEY,
    REPLICATION_WATER_SMALL,
    REPLICATION_WATER_LARGE,
    REPLICATION_WATER_COPY,
    REPLICATION_STRUCTURES_2,
    REPLICATION_STRUCTURES_3,
    REPLICATION_STRUCTURES_4,
    REPLICATION_STRUCTURES_5,
    REPLICATION_STRUCTURES_8,
    REPLICATION_STRUCTURES_16,
    REPLICATION_TRANSPOSE_3,
    REPLICATION_TRANSPOSE_8,
    REPLICATION_JOBS
};
extern const replication_job replication_jobs[REPLICATION_JOBS];

#endif
