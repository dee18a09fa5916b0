/*
 * engine_replications.c: the kernels of the measurements on the engine, with all its checks. A test
 * that needs no GPU.
 *
 *   engine_replications right   every kernel that is meant to be right computes what replications.c
 *                               says, and nothing is found
 *   engine_replications races   every kernel that races on purpose is reported as a race, and as
 *                               nothing else
 *   engine_replications counts  prints C: warp instructions of one block, by variant of
 *   ballot_scan,
 *                               having made sure that a block's number is the same in another grid
 *                               and with other data; gpu_replications is compiled with it
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

enum { EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_BROKEN = 3, BLOCKS = 2, POISON = 0xA5 };

typedef struct seen { /* of the last launch */
    unsigned races, others;
    uint64_t instructions;
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
    memset(last, 0, sizeof *last);
    last->instructions = report->counts.warp_instructions;
    last->others = status != SIMT_OK;
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

/* Launches the variant on inputs of its own; returns how many elements are wrong, and the first of
   them. */
static size_t run(const replication_job *job, const replication_variant *variant, int blocks,
                  rng *random, size_t *first)
{
    size_t words = (size_t)blocks * (size_t)job->threads, bytes = words * sizeof(uint32_t),
           wrong = 0;
    uint32_t *in = malloc(bytes), *expected = malloc(bytes), *got = malloc(bytes), *d_in, *d_out;

    if (!in || !expected || !got)
        die(EXIT_BROKEN, "no memory for %zu bytes", bytes);
    for (size_t i = 0; i < words; i++)
        in[i] = (uint32_t)(rng_next(random) >> 32);
    job->reference(in, expected, blocks);
    must(cudaMalloc((void **)&d_in, bytes), "memory");
    must(cudaMalloc((void **)&d_out, bytes), "memory");
    must(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice), "copying inputs");
    must(cudaMemset(d_out, POISON, bytes), "poisoning the output");
    variant->launch(d_in, d_out, blocks);
    must(cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost), "copying results");
    for (size_t i = 0; i < words; i++)
        if (got[i] != expected[i] && wrong++ == 0)
            *first = i;
    must(cudaFree(d_in), "freeing");
    must(cudaFree(d_out), "freeing");
    free(in);
    free(expected);
    free(got);
    return wrong;
}

static bool check(const replication_job *job, const replication_variant *variant, rng *random,
                  const seen *last)
{
    size_t first = 0, wrong = run(job, variant, BLOCKS, random, &first);
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

static bool check_all(bool races, rng *random, const seen *last)
{
    bool good = true;

    for (int j = 0; j < REPLICATION_JOBS; j++)
        for (unsigned v = 0; v < replication_jobs[j].variants; v++)
            if (replication_jobs[j].variant[v].races == races)
                good = check(&replication_jobs[j], &replication_jobs[j].variant[v], random, last) &&
                       good;
    return good;
}

static void print_counts(rng *random, const seen *last)
{
    const replication_job *job = &replication_jobs[REPLICATION_BALLOT_SCAN];

    printf("/* Written by engine_replications counts: warp instructions of one block of %s, by "
           "variant, "
           "as the engine counts them. */\n",
           job->name);
    printf("static const unsigned long long engine_counts[] = {\n");
    for (unsigned v = 0; v < job->variants; v++) {
        size_t first;
        uint64_t one;
        run(job, &job->variant[v], 1, random, &first);
        one = last->instructions;
        run(job, &job->variant[v], BLOCKS, random, &first);
        if (one == 0 || last->instructions != BLOCKS * one)
            die(EXIT_WRONG, "%s: one block takes %llu warp instructions, %d take %llu",
                job->variant[v].name, (unsigned long long)one, BLOCKS,
                (unsigned long long)last->instructions);
        printf("    %llu,  /* %s */\n", (unsigned long long)one, job->variant[v].name);
    }
    printf("};\n");
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    static seen last;
    base_error error;
    uint64_t seed;
    rng random;

    if (!rng_secret_seed(&seed, &error))
        die(EXIT_BROKEN, "%s", error.text);
    rng_seed(&random, seed);
    cudart_observe(look, &last);
    if (strcmp(what, "counts") == 0) {
        print_counts(&random, &last);
        return EXIT_SUCCESS;
    }
    if (strcmp(what, "right") != 0 && strcmp(what, "races") != 0)
        die(EXIT_USAGE, "usage: engine_replications right | races | counts");
    return check_all(strcmp(what, "races") == 0, &random, &last) ? EXIT_SUCCESS : EXIT_WRONG;
}
