/*
 * engine_replications.c: the kernels of the measurements on the engine, with all its checks. A test
 * that needs no GPU.
 *
 *   engine_replications right   every kernel that is meant to be right computes what replications.c
 *                               says, and nothing is found
 *   engine_replications races   every kernel that races on purpose is reported as a race, and as
 *                               nothing else
 *   engine_replications counts  prints C: warp instructions by job and variant, of as many units as
 *                               the job says, having made sure that the number is the same with
 *                               other data; gpu_replications is compiled with it
 *   engine_replications table   the same for the README, of the jobs that take their data from
 *                               memory, with bytes and sectors
 *
 * Exit status: 0 as it should be; 1 not; 2 usage; 3 broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "cudart.h"
#include "rng.h"
#include "replications.h"

enum { EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_BROKEN = 3 };

typedef struct seen { /* of all launches since it was cleared */
    unsigned races, others;
    uint64_t instructions, bytes, sectors, ideal; /* of global memory */
    simt_words first;
} seen;

static void must(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        die(EXIT_BROKEN, "%s: %s (%s)", what, cudaGetErrorString(status), cudart_detail());
}

static void look(void *user, const char *kernel, const simt_launch_args *args, simt_status status,
                 const simt_report *report)
{
    seen *last = user;

    (void)kernel;
    (void)args;
    last->instructions += report->counts.warp_instructions;
    last->bytes += report->counts.global_bytes_read + report->counts.global_bytes_written;
    last->sectors += report->counts.global_sectors;
    last->ideal += report->counts.global_ideal;
    last->others += status != SIMT_OK;
    for (unsigned f = 0; f < report->findings; f++) {
        if (simt_finding_is_note(report->finding[f].kind))
            continue;
        if (report->finding[f].kind == SIMT_RACE)
            last->races++;
        else
            last->others++;
        if (last->first.message[0] == '\0')
            simt_finding_words(&report->finding[f], NULL, &last->first);
    }
}

/* Runs the variant on inputs of its own; *last: what was seen of its launch, not of what comes
   before and after it. Returns how many elements are wrong, and the first of them. */
static size_t run(const replication_job *job, const replication_variant *variant, int units,
                  rng *random, seen *last, size_t *first)
{
    size_t in_bytes = (size_t)units * (size_t)job->in * sizeof(uint32_t),
           out_bytes = (size_t)units * (size_t)job->out * sizeof(uint32_t),
           scratch_bytes = (size_t)units * (size_t)job->scratch * sizeof(uint32_t), wrong;
    uint32_t *in = malloc(in_bytes), *expected = malloc(out_bytes), *got = malloc(out_bytes), *d_in,
             *d_out;

    if (!in || !expected || !got)
        die(EXIT_BROKEN, "no memory for %zu bytes", in_bytes + 2 * out_bytes);
    replication_fill(job, in, units, random);
    memset(expected, REPLICATION_POISON, out_bytes);
    job->reference(in, expected, units);
    must(cudaMalloc((void **)&d_in, in_bytes), "memory");
    must(cudaMalloc((void **)&d_out, out_bytes + scratch_bytes), "memory");
    must(cudaMemcpy(d_in, in, in_bytes, cudaMemcpyHostToDevice), "copying inputs");
    /* not the scratch: who reads there what nobody wrote is told */
    must(cudaMemset(d_out, REPLICATION_POISON, out_bytes), "poisoning the output");
    if (variant->before)
        variant->before(d_in, d_out, units);
    memset(last, 0, sizeof *last);
    variant->launch(d_in, d_out, units);
    must(cudaDeviceSynchronize(), variant->name);
    seen launch = *last;
    if (variant->after)
        variant->after(d_in, d_out, units);
    must(cudaMemcpy(got, d_out, out_bytes, cudaMemcpyDeviceToHost), "copying results");
    *last = launch;
    wrong = replication_wrong(job, expected, got, out_bytes / sizeof *got, first);
    must(cudaFree(d_in), "freeing");
    must(cudaFree(d_out), "freeing");
    free(in);
    free(expected);
    free(got);
    return wrong;
}

/* Enough units that more than one comes, and that the sums of blocks take a second turn. */
static int units_to_check(int j)
{
    switch (j) {
    case REPLICATION_SPMV: return 1;
    case REPLICATION_WATER_SMALL:
    case REPLICATION_WATER_LARGE: return replication_jobs[j].units;
    case REPLICATION_BINARY_SCAN:
    case REPLICATION_COMPACTION:
    case REPLICATION_RADIX_SORT: return 4 * REPLICATION_SUM_THREADS + 1;
    case REPLICATION_SELECT:
    case REPLICATION_PARTITION:
    case REPLICATION_RUNS:
    case REPLICATION_BY_KEY: return 16 * 4 * REPLICATION_SUM_THREADS + 1; /* 16 units a tile */
    default: return 2;
    }
}

static bool check(const replication_job *job, const replication_variant *variant, int units,
                  rng *random, seen *last)
{
    size_t first = 0, wrong = run(job, variant, units, random, last, &first);
    bool good =
        variant->races ? last->races && !last->others : !wrong && !last->races && !last->others;

    printf("%-4s %s, %s: ", good ? "ok" : "FAIL", job->name, variant->name);
    if (wrong)
        printf("%zu elements wrong, the first %zu; ", wrong, first);
    else
        printf("right; ");
    printf("%u races, %u other findings%s%s\n", last->races, last->others,
           last->first.message[0] ? ": " : "", last->first.message);
    return good;
}

static bool check_all(bool races, rng *random, seen *last)
{
    bool good = true;

    for (int j = 0; j < REPLICATION_JOBS; j++)
        for (unsigned v = 0; v < replication_jobs[j].variants; v++)
            if (replication_jobs[j].variant[v].races == races)
                good = check(&replication_jobs[j], &replication_jobs[j].variant[v],
                             units_to_check(j), random, last) &&
                       good;
    return good;
}

/* Warp instructions of a variant's launch, of as many units as the job says; *last: of these. Other
   data must take as many, but for the job's slack, and twice the units twice as many where they
   have nothing to do with each other. */
static uint64_t count(const replication_job *job, const replication_variant *variant, rng *random,
                      seen *last)
{
    int times = job->divisible ? 2 : 1;
    uint64_t once, again, slack;
    size_t first;
    seen counted;

    run(job, variant, job->counted, random, last, &first);
    counted = *last;
    once = counted.instructions;
    run(job, variant, times * job->counted, random, last, &first);
    again = last->instructions;
    slack = job->slack ? once / job->slack : 0;
    if (once == 0 || again + slack < (uint64_t)times * once ||
        again > (uint64_t)times * once + slack)
        die(EXIT_WRONG, "%s, %s: %d units take %llu warp instructions, %d others take %llu",
            job->name, variant->name, job->counted, (unsigned long long)once, times * job->counted,
            (unsigned long long)again);
    *last = counted;
    return once;
}

static void print_counts(rng *random, seen *last)
{
    printf("/* Written by engine_replications counts: warp instructions by job and variant, as the "
           "engine counts them. */\n"
           "static const unsigned long long engine_counts[][%d] = {\n",
           REPLICATION_MAX_VARIANTS);
    for (int j = 0; j < REPLICATION_JOBS; j++) {
        const replication_job *job = &replication_jobs[j];
        printf("    {");
        for (unsigned v = 0; v < job->variants; v++)
            printf(" %llu,", job->counted
                                 ? (unsigned long long)count(job, &job->variant[v], random, last)
                                 : 0);
        printf(" },  /* %s, of %d */\n", job->name, job->counted);
    }
    printf("};\n");
}

static void print_table(rng *random, seen *last)
{
    printf("| | | warp instructions | times the first's | bytes | sectors, times the least "
           "|\n|---|---|--:|--:|--:|--:|\n");
    for (int j = REPLICATION_BINARY_SCAN; j < REPLICATION_JOBS; j++) {
        const replication_job *job = &replication_jobs[j];
        uint64_t first = 0;
        for (unsigned v = 0; job->counted && v < job->variants; v++) {
            uint64_t instructions = count(job, &job->variant[v], random, last);
            if (v == 0)
                first = instructions;
            printf("| %s | %s | %llu | %.3f | %.1f | %.2f |\n", v ? "" : job->name,
                   job->variant[v].name, (unsigned long long)instructions,
                   (double)instructions / (double)first,
                   (double)last->bytes / (job->counted * (job->elements ? job->elements : 1)),
                   (double)last->sectors / (double)last->ideal);
        }
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    simt_config counters = simt_default_config();
    static seen last;
    base_error error;
    uint64_t seed;
    rng random;

    if (!rng_secret_seed(&seed, &error))
        die(EXIT_BROKEN, "%s", error.text);
    rng_seed(&random, seed);
    cudart_observe(look, &last);
    if (strcmp(what, "right") == 0 || strcmp(what, "races") == 0)
        return check_all(strcmp(what, "races") == 0, &random, &last) ? EXIT_SUCCESS : EXIT_WRONG;
    rng_seed(&random, 1); /* what is counted is the same each time */
    counters.checks = SIMT_CHECK_COUNTERS;
    cudart_set_config(&counters);
    if (strcmp(what, "counts") == 0)
        print_counts(&random, &last);
    else if (strcmp(what, "table") == 0)
        print_table(&random, &last);
    else
        die(EXIT_USAGE, "usage: engine_replications right | races | counts | table");
    return EXIT_SUCCESS;
}
