/*
 * replications.c: the jobs and what they must come to, computed in the plainest way that is quick
 * enough to check every launch.
 */
#include "replications.h"

#include <math.h>
#include <string.h>

#include "applications.h"
#include "rng.h"

/* SIDE: blocks or warps that are computed side by side, so that the compiler uses vectors */
enum { WARP = 32, SIDE = 16 };

static void count_blocks(const uint32_t *in, uint32_t *out, int blocks)
{
    for (int block = 0; block < blocks;
         block++, in += REPLICATION_COUNT_THREADS, out += REPLICATION_COUNT_THREADS) {
        uint32_t count = 0;

        for (int t = 0; t < REPLICATION_COUNT_THREADS; t++) {
            out[t] = in[t];
            count += in[t] >> 31;
        }
        for (int round = 0; round < REPLICATION_COUNT_ROUNDS; round++) {
            uint32_t next = 0;
            for (int t = 0; t < REPLICATION_COUNT_THREADS; t++) {
                out[t] = 5 * out[t] + count;
                next += out[t] >> 31;
            }
            count = next;
        }
    }
}

/* Side s of state[t] is element t of the s-th of `sides` sections of `length`; the other sides stay
   0. */
static void gather(const uint32_t *in, int length, int sides, uint32_t state[][SIDE])
{
    for (int t = 0; t < length; t++)
        for (int s = 0; s < SIDE; s++)
            state[t][s] = s < sides ? in[s * length + t] : 0;
}

static void scatter(uint32_t state[][SIDE], int length, int sides, uint32_t *out)
{
    for (int s = 0; s < sides; s++)
        for (int t = 0; t < length; t++)
            out[s * length + t] = state[t][s];
}

static void scan_blocks(const uint32_t *in, uint32_t *out, int blocks)
{
    static _Thread_local uint32_t state[REPLICATION_COUNT_THREADS][SIDE];

    for (int first = 0; first < blocks; first += SIDE) {
        int sides = blocks - first < SIDE ? blocks - first : SIDE;
        gather(in + first * REPLICATION_COUNT_THREADS, REPLICATION_COUNT_THREADS, sides, state);
        for (int round = 0; round < REPLICATION_COUNT_ROUNDS; round++) {
            uint32_t before[SIDE] = { 0 };
            for (int t = 0; t < REPLICATION_COUNT_THREADS; t++)
                for (int s = 0; s < SIDE; s++) {
                    uint32_t one = state[t][s] >> 31;
                    state[t][s] = 5 * state[t][s] + before[s];
                    before[s] += one;
                }
        }
        scatter(state, REPLICATION_COUNT_THREADS, sides, out + first * REPLICATION_COUNT_THREADS);
    }
}

static void shift_warps(const uint32_t *in, uint32_t *out, int blocks)
{
    int places = (REPLICATION_WARP_ROUNDS + 1) % WARP;

    for (int i = 0; i < blocks * REPLICATION_WARP_THREADS; i++)
        out[i] = in[i - i % WARP + (i + places) % WARP];
}

/* A round adds the same sum to all lanes, so that the sum itself becomes 1 + WARP times as
   large. */
static void reduce_warps(const uint32_t *in, uint32_t *out, int blocks)
{
    for (int first = 0; first < blocks * REPLICATION_WARP_THREADS; first += WARP) {
        uint32_t sum = 0, added = 0;

        for (int lane = 0; lane < WARP; lane++)
            sum += in[first + lane];
        for (int round = 0; round < REPLICATION_WARP_ROUNDS; round++) {
            added += sum;
            sum += WARP * sum;
        }
        for (int lane = 0; lane < WARP; lane++)
            out[first + lane] = in[first + lane] + added;
    }
}

static void scan_warps(const uint32_t *in, uint32_t *out, int blocks)
{
    int warps = blocks * (REPLICATION_WARP_THREADS / WARP);

    /* a block has 32 warps: always SIDE of them */
    for (int first = 0; first < warps; first += SIDE) {
        uint32_t state[WARP][SIDE];
        gather(in + first * WARP, WARP, SIDE, state);
        for (int round = 0; round < REPLICATION_WARP_ROUNDS; round++)
            for (int lane = 1; lane < WARP; lane++)
                for (int s = 0; s < SIDE; s++)
                    state[lane][s] += state[lane - 1][s];
        scatter(state, WARP, SIDE, out + first * WARP);
    }
}

void replication_fill(const replication_job *job, uint32_t *in, int units, rng *random)
{
    if (job->draw) {
        job->draw(in, units, random);
        return;
    }
    for (size_t i = 0; i < (size_t)units * (size_t)job->in; i++)
        in[i] = (uint32_t)(rng_next(random) >> 32);
}

static bool is_near(uint32_t expected_word, uint32_t got_word, float bound)
{
    float expected, got;

    memcpy(&expected, &expected_word, sizeof expected);
    memcpy(&got, &got_word, sizeof got);
    return fabsf(got - expected) <= bound * fmaxf(1.0f, fabsf(expected)); /* false of a NaN */
}

size_t replication_wrong(const replication_job *job, const uint32_t *expected, const uint32_t *got,
                         size_t words, size_t *first)
{
    size_t wrong = 0;

    for (size_t i = 0; i < words; i++)
        if (got[i] != expected[i] &&
            (job->bound == 0 || !is_near(expected[i], got[i], job->bound)) && wrong++ == 0)
            *first = i;
    return wrong;
}

/* What measures a part of spmv runs the others too, so that there is a result. */
static void finish_products(const uint32_t *d_in, uint32_t *d_out, int units)
{
    replication_spmv_scan(d_in, d_out, units);
    replication_spmv_gather(d_in, d_out, units);
}

static void prepare_gather(const uint32_t *d_in, uint32_t *d_out, int units)
{
    replication_spmv_products(d_in, d_out, units);
    replication_spmv_scan(d_in, d_out, units);
}

/* The heights after the steps, and two more grids: steps take turns with three. */
#define WATER(side, steps_)                                                                        \
    .in = 3 * (side), .out = (side), .scratch = 2 * (side), .draw = application_draw_water,        \
    .bound = 1e-5f, .units = (side), .steps = (steps_)

#define WATER_COLUMNS(columns)                                                                     \
    {                                                                                              \
        .name = "columns_" #columns, .launch = replication_water_columns_##columns,                \
        .shared = (columns)*WATER_SHARED_OF_COLUMN                                                 \
    }

#define RIGHT(name_, launch_)                                                                      \
    {                                                                                              \
        .name = (name_), .launch = (launch_)                                                       \
    }
#define RACES(name_, launch_)                                                                      \
    {                                                                                              \
        .name = (name_), .launch = (launch_), .races = true                                        \
    }

#define OF_BLOCKS(threads_, rounds_)                                                               \
    .threads = (threads_), .rounds = (rounds_), .in = (threads_), .out = (threads_),               \
    .divisible = true
#define COUNT_BLOCKS OF_BLOCKS(REPLICATION_COUNT_THREADS, REPLICATION_COUNT_ROUNDS)
#define WARP_BLOCKS                                                                                \
    OF_BLOCKS(REPLICATION_WARP_THREADS, REPLICATION_WARP_ROUNDS), .units = REPLICATION_FILL
/* counted: 2^16 words, so that the sums of blocks are few beside them */
#define INSIDE                                                                                     \
    .threads = REPLICATION_COUNT_THREADS, .in = REPLICATION_COUNT_THREADS,                         \
    .out = REPLICATION_COUNT_THREADS, .scratch = INSIDE_SCRATCH, .cold = true, .counted = 128,     \
    .elements = REPLICATION_COUNT_THREADS
#define INSIDE_VARIANTS(function)                                                                  \
    .variants = 3,                                                                                 \
    .variant = { RIGHT("ballot_scan", function##_ballot), RIGHT("warp_scan32", function##_warp32), \
                 RIGHT("warp_scan32_shuffle", function##_shuffle) }

/* counted: 8 tiles of the passes, 16 of the single one. How much is stored is the data's */
#define PASSES(in_, draw_)                                                                         \
    .threads = REPLICATION_COUNT_THREADS, .in = (in_), .out = PASSES_OUT,                          \
    .scratch = PASSES_SCRATCH, .draw = (draw_), .cold = true, .counted = 128, .slack = 50,         \
    .units = PASSES_UNITS, .elements = PASSES_WORDS
#define PASSES_VARIANTS(function)                                                                  \
    .variants = 3, .variant = { RIGHT("single_pass", function##_single),                           \
                                RIGHT("reduce_then_scan", function##_reduced),                     \
                                RIGHT("scan_then_propagate", function##_propagated) }
#define STRUCTURES(words_)                                                                         \
    .threads = STRUCTURE_THREADS, .in = STRUCTURE_THREADS * (words_),                              \
    .out = STRUCTURE_THREADS * (words_), .words = (words_), .elements = STRUCTURE_THREADS,         \
    .divisible = true, .variants = 3
#define STRUCTURES_JOB(words_)                                                                     \
    {                                                                                              \
        .name = "structures_" #words_, STRUCTURES(words_),                                         \
        .reference = application_structures_##words_, .cold = true, .counted = 8,                  \
        .units = STRUCTURE_UNITS, .variant = {                                                     \
            RIGHT("shuffle", replication_structures_##words_##_shuffle),                           \
            RIGHT("shared", replication_structures_##words_##_shared),                             \
            RIGHT("direct", replication_structures_##words_##_direct)                              \
        }                                                                                          \
    }
#define TRANSPOSE_JOB(words_)                                                                      \
    {                                                                                              \
        .name = "transpose_" #words_, STRUCTURES(words_), .rounds = REPLICATION_WARP_ROUNDS,       \
        .reference = application_transpose_##words_, .units = REPLICATION_FILL, .variant = {       \
            RIGHT("shuffle", replication_transpose_##words_##_shuffle),                            \
            RIGHT("shared_safe", replication_transpose_##words_##_safe),                           \
            RIGHT("shared_warp", replication_transpose_##words_##_warp)                            \
        }                                                                                          \
    }

/* The first variant of a job is the one that the source recommends. */
const replication_job replication_jobs[REPLICATION_JOBS] = {
    [REPLICATION_BARRIER_COUNT] = { .name = "barrier_count",
                                    COUNT_BLOCKS,
                                    .reference = count_blocks,
                                    .variants = 3,
                                    .variant = { RIGHT("syncthreads_count",
                                                       replication_count_barrier),
                                                 RIGHT("reduce32", replication_count_reduce32),
                                                 RIGHT("reduce32_shuffle",
                                                       replication_count_reduce32_shuffle) } },
    [REPLICATION_BALLOT_SCAN] = { .name = "ballot_scan",
                                  COUNT_BLOCKS,
                                  .reference = scan_blocks,
                                  .counted = 1,
                                  .variants = 5,
                                  .variant = { RIGHT("ballot_scan", replication_scan_ballot),
                                               RIGHT("warp_scan32", replication_scan_warp32),
                                               RIGHT("warp_scan32_shuffle",
                                                     replication_scan_warp32_shuffle),
                                               RACES("ballot_scan_unsafe",
                                                     replication_scan_ballot_unsafe),
                                               RACES("warp_scan32_unsafe",
                                                     replication_scan_warp32_unsafe) } },
    [REPLICATION_NEIGHBOUR] = { .name = "neighbour",
                                WARP_BLOCKS,
                                .reference = shift_warps,
                                .variants = 4,
                                .variant = { RIGHT("shuffle", replication_neighbour_shuffle),
                                             RIGHT("shared_safe", replication_neighbour_safe),
                                             RIGHT("shared_warp", replication_neighbour_warp),
                                             RACES("shared_unsafe",
                                                   replication_neighbour_unsafe) } },
    [REPLICATION_REDUCE] = { .name = "reduce",
                             WARP_BLOCKS,
                             .reference = reduce_warps,
                             .variants = 4,
                             .variant = { RIGHT("shuffle", replication_reduce_shuffle),
                                          RIGHT("shared_safe", replication_reduce_safe),
                                          RIGHT("shared_warp", replication_reduce_warp),
                                          RACES("shared_unsafe", replication_reduce_unsafe) } },
    [REPLICATION_SCAN] = { .name = "scan",
                           WARP_BLOCKS,
                           .reference = scan_warps,
                           .variants = 4,
                           .variant = { RIGHT("shuffle", replication_scan_shuffle),
                                        RIGHT("shared_safe", replication_scan_safe),
                                        RIGHT("shared_warp", replication_scan_warp),
                                        RACES("shared_unsafe", replication_scan_unsafe) } },
    [REPLICATION_BINARY_SCAN] = { .name = "binary_scan",
                                  INSIDE,
                                  .reference = application_binary_scan,
                                  INSIDE_VARIANTS(replication_binary_scan) },
    [REPLICATION_COMPACTION] = { .name = "compaction",
                                 INSIDE,
                                 .reference = application_compaction,
                                 INSIDE_VARIANTS(replication_compaction) },
    [REPLICATION_RADIX_SORT] = { .name = "radix_sort",
                                 INSIDE,
                                 .reference = application_radix_sort,
                                 INSIDE_VARIANTS(replication_radix_sort) },
    [REPLICATION_BLOCK_SORT] = { .name = "block_radix_sort",
                                 INSIDE,
                                 .reference = application_block_sort,
                                 .divisible = true,
                                 INSIDE_VARIANTS(replication_block_sort) },
    [REPLICATION_SPMV] = { .name = "spmv",
                           .threads = SPMV_TILE,
                           .in = SPMV_IN,
                           .out = SPMV_ROWS,
                           .scratch = SPMV_SCRATCH,
                           .draw = application_draw_matrix,
                           .reference = application_spmv,
                           .counted = 1,
                           .slack = 1000,
                           .units = 1,
                           .variants = 4,
                           .variant = { RIGHT("whole", replication_spmv),
                                        { .name = "products",
                                          .launch = replication_spmv_products,
                                          .after = finish_products },
                                        { .name = "segmented_scan",
                                          .launch = replication_spmv_scan,
                                          .before = replication_spmv_products,
                                          .after = replication_spmv_gather },
                                        { .name = "gather",
                                          .launch = replication_spmv_gather,
                                          .before = prepare_gather } } },
    [REPLICATION_TRIDIAGONAL] = { .name = "tridiagonal",
                                  .threads = SYSTEM_ROWS / 2,
                                  .in = 4 * SYSTEM_ROWS,
                                  .out = SYSTEM_ROWS,
                                  .scratch = TRIDIAGONAL_SCRATCH,
                                  .draw = application_draw_systems,
                                  .reference = application_tridiagonal,
                                  .divisible = true,
                                  .bound = 1e-5f,
                                  .counted = SYSTEM_ROWS,
                                  .units = SYSTEM_ROWS,
                                  .variants = 3,
                                  .variant = { RIGHT("shared", replication_tridiagonal_shared),
                                               RIGHT("global", replication_tridiagonal_global),
                                               RIGHT("shared_padded",
                                                     replication_tridiagonal_padded) } },
    [REPLICATION_WATER_SMALL] = { .name = "water_small",
                                  .threads = WATER_SMALL,
                                  WATER(WATER_SMALL, REPLICATION_WATER_STEPS),
                                  .reference = application_water_small,
                                  .variants = 1,
                                  .variant = { RIGHT("lab_18", replication_water_small) } },
    [REPLICATION_WATER_LARGE] = { .name = "water_large",
                                  .threads = WATER_SIDE / 4,
                                  WATER(WATER_SIDE, WATER_LARGE_STEPS),
                                  .reference = application_water_large,
                                  .variants = 2,
                                  .variant = { WATER_COLUMNS(8), WATER_COLUMNS(4) } },
    [REPLICATION_WATER_COPY] = { .name = "water_copy",
                                 .in = WATER_COPIED * WATER_SIDE,
                                 .out = WATER_COPIED * WATER_SIDE,
                                 .reference = application_water_copy,
                                 .divisible = true,
                                 .units = WATER_SIDE,
                                 .steps = 1,
                                 .variants = 1,
                                 .variant = { RIGHT("copy", replication_water_copy) } },
    [REPLICATION_SELECT] = { .name = "select_if",
                             PASSES(PASSES_WORDS, NULL),
                             .reference = application_select,
                             PASSES_VARIANTS(replication_select) },
    [REPLICATION_PARTITION] = { .name = "partition_if",
                                PASSES(PASSES_WORDS, NULL),
                                .reference = application_partition,
                                PASSES_VARIANTS(replication_partition) },
    [REPLICATION_RUNS] = { .name = "run_length_encode",
                           PASSES(PASSES_WORDS, application_draw_runs),
                           .reference = application_runs,
                           PASSES_VARIANTS(replication_runs) },
    [REPLICATION_BY_KEY] = { .name = "reduce_by_key",
                             PASSES(2 * PASSES_WORDS, application_draw_runs_and_values),
                             .reference = application_by_key,
                             PASSES_VARIANTS(replication_by_key) },
    [REPLICATION_STRUCTURES_2] = STRUCTURES_JOB(2),
    [REPLICATION_STRUCTURES_3] = STRUCTURES_JOB(3),
    [REPLICATION_STRUCTURES_4] = STRUCTURES_JOB(4),
    [REPLICATION_STRUCTURES_5] = STRUCTURES_JOB(5),
    [REPLICATION_STRUCTURES_8] = STRUCTURES_JOB(8),
    [REPLICATION_STRUCTURES_16] = STRUCTURES_JOB(16),
    [REPLICATION_TRANSPOSE_3] = TRANSPOSE_JOB(3),
    [REPLICATION_TRANSPOSE_8] = TRANSPOSE_JOB(8),
};
