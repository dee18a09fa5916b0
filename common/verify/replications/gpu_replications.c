/*
 * gpu_replications.c: the measurements of the kit's sources again, on the GPU that is here. Program
 * gpu_replications; `--help` lists its options.
 *
 * Writes three CSV files (their columns are the table `files` below). Every repetition draws new
 * inputs, launches all variants by turns, and compares every element of every output, poisoned
 * before, with what replications.c makes of the same input; a first repetition warms up and is not
 * counted. A wrong result ends the program with 3. Only a variant that races on purpose may be
 * wrong: then it is told, and has no row.
 *
 * Exit status: 0 written; 2 usage; 3 no GPU, a CUDA call failed, or a wrong result.
 */
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "engine_counts.h"
#include "facts.h"
#include "file.h"
#include "rng.h"
#include "replications.h"
#include "stats.h"
#include "timer.h"

enum {
    EXIT_USAGE = 2,
    EXIT_BROKEN = 3,
    MAX_GRIDS = 16,
    MAX_REPETITIONS = 101,
    REPETITIONS = 15,
    QUICK_REPETITIONS = 3,
    MAX_HELPERS = 16,
    PROFILE_BLOCKS = 1024,
    POISON = 0xA5,
    SPIN_CYCLES = 400000 /* about 200 us */
};

typedef struct options {
    const char *folder, *commit;
    int repetitions;
    bool quick, profile;
} options;

typedef struct samples {
    double us[MAX_REPETITIONS];
    int count, wrong;
} samples;

/* One job: its grids, and what was measured. */
typedef struct measured {
    const replication_job *job;
    int grids, grid[MAX_GRIDS]; /* in blocks, the largest last */
    samples of[MAX_GRIDS][REPLICATION_MAX_VARIANTS];
} measured;

typedef struct bench {
    gpu_timer *timer;
    gpu_facts facts;
    rng random;
    uint32_t *in, *expected, *got; /* of the host, room for the largest grid */
    uint32_t *d_in, *d_out;
    double megahertz[REPLICATION_JOBS * MAX_REPETITIONS],
        launch_us[REPLICATION_JOBS * MAX_REPETITIONS];
    size_t clock_readings;
} bench;

static const char usage[] =
    "usage: gpu_replications [--out FOLDER] [--quick] [--repetitions COUNT] [--commit TEXT] | "
    "--profile\n"
    "Measures on a GPU: counting barrier against sums, ballot against 32-bit scans, shuffle "
    "against shared memory.\n"
    "Writes barrier_count.csv, ballot_scan.csv and shuffle.csv.\n"
    "  -o, --out FOLDER         where to (build/bench); it is made\n"
    "  -q, --quick              few grids and 3 repetitions: does it work?\n"
    "  -r, --repetitions COUNT  of which the median counts (15), 1 to 101\n"
    "  -c, --commit TEXT        of the kit, for the head of the files\n"
    "  -p, --profile            launches each kernel once, checks it, and measures nothing: for a "
    "profiler\n";

/* ---- errors ---------------------------------------------------------------------------------- */

static void must(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        die(EXIT_BROKEN, "%s: %s", what, cudaGetErrorString(status));
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory)
        die(EXIT_BROKEN, "no memory for %zu bytes", bytes);
    return memory;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static int number(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*text == '\0' || *end != '\0' || value < 1 || value > MAX_REPETITIONS)
        die(EXIT_USAGE, "--repetitions takes a number from 1 to %d, not '%s'", MAX_REPETITIONS,
            text);
    return (int)value;
}

static options parse(int argc, char **argv)
{
    static const struct option known[] = {
        { "out", required_argument, NULL, 'o' },
        { "quick", no_argument, NULL, 'q' },
        { "repetitions", required_argument, NULL, 'r' },
        { "commit", required_argument, NULL, 'c' },
        { "profile", no_argument, NULL, 'p' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    options chosen = { .folder = "build/bench" };
    int option;

    while ((option = getopt_long(argc, argv, "o:qr:c:ph", known, NULL)) != -1) {
        switch (option) {
        case 'o': chosen.folder = optarg; break;
        case 'q': chosen.quick = true; break;
        case 'r': chosen.repetitions = number(optarg); break;
        case 'c': chosen.commit = optarg; break;
        case 'p': chosen.profile = true; break;
        case 'h': fputs(usage, stdout); exit(EXIT_SUCCESS);
        default: fputs(usage, stderr); exit(EXIT_USAGE);
        }
    }
    if (optind < argc)
        die(EXIT_USAGE, "there is no argument '%s'; see gpu_replications --help", argv[optind]);
    if (!chosen.repetitions)
        chosen.repetitions = chosen.quick ? QUICK_REPETITIONS : REPETITIONS;
    return chosen;
}

/* ---- what must come out, by several threads -------------------------------------------------- */

typedef struct share {
    const replication_job *job;
    const uint32_t *in;
    uint32_t *out;
    int blocks;
} share;

static void *compute_share(void *argument)
{
    const share *mine = argument;

    mine->job->reference(mine->in, mine->out, mine->blocks);
    return NULL;
}

static void compute_expected(const replication_job *job, const uint32_t *in, uint32_t *out,
                             int blocks)
{
    pthread_t helper[MAX_HELPERS];
    share shares[MAX_HELPERS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int helpers = cores < 1 ? 1 : cores > MAX_HELPERS ? MAX_HELPERS : (int)cores;
    int begun = 0;

    for (int h = 0; h < helpers; h++) {
        int first = (int)((long)blocks * h / helpers),
            last = (int)((long)blocks * (h + 1) / helpers);
        size_t offset = (size_t)first * (size_t)job->threads;
        shares[h] = (share){ job, in + offset, out + offset, last - first };
    }
    for (; begun < helpers - 1; begun++)
        if (pthread_create(&helper[begun], NULL, compute_share, &shares[begun]) != 0)
            break;
    for (int h = begun; h < helpers; h++)
        compute_share(&shares[h]);
    for (int h = 0; h < begun; h++)
        pthread_join(helper[h], NULL);
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct launch {
    replication_launch *go;
    const uint32_t *d_in;
    uint32_t *d_out;
    int blocks;
} launch;

static void do_launch(void *context)
{
    const launch *this = context;

    this->go(this->d_in, this->d_out, this->blocks);
}

static void do_spin(void *context) { replication_spin(*(const long long *)context); }

static double measure(const bench *b, void (*work)(void *), void *context)
{
    base_error error;
    double host_us,
        us = gpu_timer_measure(b->timer, GPU_TIMER_HOT, work, context, &host_us, &error);

    if (us < 0)
        die(EXIT_BROKEN, "%s", error.text);
    if (!gpu_timer_is_plausible(us, host_us, 0, 0))
        die(EXIT_BROKEN,
            "the GPU's clock says %.1f us, the host's %.1f: the times cannot be believed", us,
            host_us);
    return us;
}

/* The rate of the clock that multiprocessors run at, and what a launch takes that does nothing. */
static void read_clock(bench *b, bool counts)
{
    long long none = 0, many = SPIN_CYCLES;
    double idle = measure(b, do_spin, &none), busy = measure(b, do_spin, &many);

    if (counts) {
        b->launch_us[b->clock_readings] = idle;
        b->megahertz[b->clock_readings++] = SPIN_CYCLES / (busy - idle);
    }
}

/* Draws inputs for the job's largest grid, sends them to the GPU and computes what must come
   out. */
static void fresh_inputs(bench *b, const measured *m)
{
    int blocks = m->grid[m->grids - 1];
    size_t words = (size_t)blocks * (size_t)m->job->threads;

    for (size_t i = 0; i < words; i++)
        b->in[i] = (uint32_t)(rng_next(&b->random) >> 32);
    must(cudaMemcpy(b->d_in, b->in, words * sizeof *b->in, cudaMemcpyHostToDevice),
         "copying inputs to the GPU");
    compute_expected(m->job, b->in, b->expected, blocks);
}

/* Returns whether the result was right; *us: what it took. */
static bool run_once(bench *b, const measured *m, const replication_variant *variant, int blocks,
                     double *us)
{
    size_t words = (size_t)blocks * (size_t)m->job->threads, wrong = 0, first = 0;
    launch this = { variant->launch, b->d_in, b->d_out, blocks };

    must(cudaMemset(b->d_out, POISON, words * sizeof *b->got), "poisoning the output");
    *us = measure(b, do_launch, &this);
    must(cudaMemcpy(b->got, b->d_out, words * sizeof *b->got, cudaMemcpyDeviceToHost),
         "copying results from the GPU");
    for (size_t i = 0; i < words; i++)
        if (b->got[i] != b->expected[i] && wrong++ == 0)
            first = i;
    if (wrong && !variant->races)
        die(EXIT_BROKEN,
            "%s, %s, %d blocks: element %zu is %u, and should be %u (%zu of %zu wrong)",
            m->job->name, variant->name, blocks, first, b->got[first], b->expected[first], wrong,
            words);
    return wrong == 0;
}

static void measure_job(bench *b, measured *m, int repetitions)
{
    for (int repetition = -1; repetition < repetitions; repetition++) {
        fresh_inputs(b, m);
        read_clock(b, repetition >= 0);
        for (int g = 0; g < m->grids; g++)
            for (unsigned turn = 0; turn < m->job->variants; turn++) {
                unsigned v = (turn + (unsigned)(repetition + 1)) % m->job->variants;
                samples *s = &m->of[g][v];
                double us;
                if (!run_once(b, m, &m->job->variant[v], m->grid[g], &us))
                    s->wrong++;
                if (repetition >= 0)
                    s->us[s->count++] = us;
            }
    }
}

/* ---- what was measured, into files ----------------------------------------------------------- */

static void write_head(FILE *file, bench *b, const replication_job *job, const options *chosen)
{
    stats_summary clock = stats_summarise(b->megahertz, b->clock_readings),
                  idle = stats_summarise(b->launch_us, b->clock_readings);

    gpu_facts_write(file, &b->facts, chosen->commit);
    fprintf(file, "# sm_MHz: %.0f (%.0f to %.0f in %zu readings between the measurements)\n",
            clock.median, clock.min, clock.max, clock.count);
    fprintf(file, "# launch_us: %.2f (%.2f to %.2f), of one thread that does nothing\n",
            idle.median, idle.min, idle.max);
    fprintf(file,
            "# threads: %d\n# iterations: %d in one launch, each of which needs the one before\n",
            job->threads, job->rounds);
    fprintf(file, "# spread: us_min and us_max are the least and the most of %d repetitions\n",
            chosen->repetitions);
}

/* False, and told, where the results were wrong at times. */
static bool has_row(FILE *file, const measured *m, int g, unsigned v)
{
    const samples *s = &m->of[g][v];

    if (s->wrong == 0)
        return true;
    fprintf(file, "# wrong: %s,%s,%d blocks in %d of %d launches\n", m->job->name,
            m->job->variant[v].name, m->grid[g], s->wrong, s->count + 1);
    printf("%s, %s, %d blocks: wrong in %d of %d launches; no time is told\n", m->job->name,
           m->job->variant[v].name, m->grid[g], s->wrong, s->count + 1);
    return false;
}

static stats_summary summary(const measured *m, int g, unsigned v)
{
    samples copy = m->of[g][v];

    return stats_summarise(copy.us, (size_t)copy.count);
}

/* barrier_count.csv and ballot_scan.csv: by grid. instructions: of one block by variant, or
   null. */
static void write_grids(FILE *file, const measured *m, const unsigned long long *instructions)
{
    fprintf(file, "what,grid,threads,us,us_min,us_max%s\n",
            instructions ? ",warp_instructions" : "");
    for (int g = 0; g < m->grids; g++)
        for (unsigned v = 0; v < m->job->variants; v++) {
            stats_summary s = summary(m, g, v);
            if (!has_row(file, m, g, v))
                continue;
            fprintf(file, "%s,%d,%d,%.3f,%.3f,%.3f", m->job->variant[v].name, m->grid[g],
                    m->job->threads, s.median, s.min, s.max);
            if (instructions)
                fprintf(file, ",%llu", instructions[v] * (unsigned long long)m->grid[g]);
            fprintf(file, "\n");
            printf("%-12s %-20s %5d blocks %10.2f us  (%.2f to %.2f)\n", m->job->name,
                   m->job->variant[v].name, m->grid[g], s.median, s.min, s.max);
        }
}

/* shuffle.csv: three jobs, one grid. */
static void write_shuffles(FILE *file, const measured *jobs)
{
    fprintf(file, "what,variant,us,us_min,us_max\n");
    for (const measured *m = jobs; m < jobs + 3; m++)
        for (unsigned v = 0; v < m->job->variants; v++) {
            stats_summary s = summary(m, 0, v);
            if (!has_row(file, m, 0, v))
                continue;
            fprintf(file, "%s,%s,%.3f,%.3f,%.3f\n", m->job->name, m->job->variant[v].name, s.median,
                    s.min, s.max);
            printf("%-12s %-20s %5d blocks %10.2f us  (%.2f to %.2f)\n", m->job->name,
                   m->job->variant[v].name, m->grid[0], s.median, s.min, s.max);
        }
}

static void write_file(bench *b, const measured *m, const options *chosen, const char *name)
{
    char *text = NULL, path[4096];
    size_t bytes = 0;
    base_error error;
    FILE *file = open_memstream(&text, &bytes);

    if (!file)
        die(EXIT_BROKEN, "no memory for %s", name);
    write_head(file, b, m->job, chosen);
    if (m->job == &replication_jobs[REPLICATION_NEIGHBOUR]) {
        fprintf(file, "# blocks: %d\n", m->grid[0]);
        write_shuffles(file, m);
    } else {
        write_grids(file, m,
                    m->job == &replication_jobs[REPLICATION_BALLOT_SCAN] ? engine_counts : NULL);
    }
    if (fclose(file) != 0)
        die(EXIT_BROKEN, "no memory for %s", name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", chosen->folder, name) >= sizeof path)
        die(EXIT_USAGE, "the name of the folder is too long");
    if (!file_make_folders(chosen->folder, &error) || !file_write(path, text, bytes, &error))
        die(EXIT_BROKEN, "%s", error.text);
    free(text);
}

/* ---- main ------------------------------------------------------------------------------------ */

/* barrier_count and ballot_scan: powers of two up to 2048 blocks, four waves of a GPU with 132
   multiprocessors; the others, as in the source: as many threads as the GPU holds at a time. */
static void choose_grids(measured *m, const bench *b, const options *chosen)
{
    int held = 0; /* threads that a multiprocessor can hold */

    must(cudaDeviceGetAttribute(&held, cudaDevAttrMaxThreadsPerMultiProcessor, 0),
         "asking the GPU");
    if (m->job->threads == REPLICATION_WARP_THREADS)
        m->grid[m->grids++] = held / REPLICATION_WARP_THREADS * b->facts.multiprocessors;
    else if (chosen->profile)
        m->grid[m->grids++] = PROFILE_BLOCKS;
    else
        for (int blocks = 1; blocks <= 2048; blocks *= chosen->quick ? 16 : 2)
            m->grid[m->grids++] = blocks;
}

static void open_bench(bench *b, const measured *jobs)
{
    base_error error;
    uint64_t seed;
    size_t bytes = 0;

    b->timer = gpu_timer_open(&error);
    if (!b->timer || !rng_secret_seed(&seed, &error))
        die(EXIT_BROKEN, "%s", error.text);
    rng_seed(&b->random, seed);
    for (int j = 0; j < REPLICATION_JOBS; j++) {
        size_t needed = (size_t)jobs[j].grid[jobs[j].grids - 1] * (size_t)jobs[j].job->threads *
                        sizeof(uint32_t);
        bytes = needed > bytes ? needed : bytes;
    }
    b->in = room(bytes);
    b->expected = room(bytes);
    b->got = room(bytes);
    must(cudaMalloc((void **)&b->d_in, bytes), "memory of the GPU");
    must(cudaMalloc((void **)&b->d_out, bytes), "memory of the GPU");
}

static void close_bench(bench *b)
{
    must(cudaFree(b->d_in), "freeing memory of the GPU");
    must(cudaFree(b->d_out), "freeing memory of the GPU");
    gpu_timer_close(b->timer);
    free(b->in);
    free(b->expected);
    free(b->got);
}

/* Each kernel once, in the order of replication_jobs. */
static void profile(bench *b, const measured *jobs)
{
    for (int j = 0; j < REPLICATION_JOBS; j++) {
        fresh_inputs(b, &jobs[j]);
        for (unsigned v = 0; v < jobs[j].job->variants; v++) {
            const replication_variant *variant = &jobs[j].job->variant[v];
            double us;
            bool right = run_once(b, &jobs[j], variant, jobs[j].grid[0], &us);
            printf("%-12s %-20s %5d blocks  %s\n", jobs[j].job->name, variant->name,
                   jobs[j].grid[0], right ? "right" : "wrong: it races");
        }
    }
}

int main(int argc, char **argv)
{
    static bench b;
    static measured jobs[REPLICATION_JOBS];
    options chosen = parse(argc, argv);
    base_error error;

    if (!gpu_facts_get(&b.facts, &error))
        die(EXIT_BROKEN, "%s", error.text);
    for (int j = 0; j < REPLICATION_JOBS; j++) {
        jobs[j].job = &replication_jobs[j];
        choose_grids(&jobs[j], &b, &chosen);
    }
    open_bench(&b, jobs);
    if (chosen.profile) {
        profile(&b, jobs);
    } else {
        for (int j = 0; j < REPLICATION_JOBS; j++)
            measure_job(&b, &jobs[j], chosen.repetitions);
        write_file(&b, &jobs[REPLICATION_BARRIER_COUNT], &chosen, "barrier_count.csv");
        write_file(&b, &jobs[REPLICATION_BALLOT_SCAN], &chosen, "ballot_scan.csv");
        write_file(&b, &jobs[REPLICATION_NEIGHBOUR], &chosen, "shuffle.csv");
    }
    close_bench(&b);
    return EXIT_SUCCESS;
}
