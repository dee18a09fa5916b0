/*
 * gpu_replications.c: the measurements of the kit's sources again, on the GPU that is here. Program
 * gpu_replications; `--help` lists its options.
 *
 * Writes CSV files (the table `files` below). Every repetition draws new
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
    SPIN_CYCLES = 400000 /* about 200 us */
};

typedef struct options {
    const char *folder, *commit, *file; /* file: null: all of them */
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
    int grids, grid[MAX_GRIDS]; /* in units, the largest last */
    samples of[MAX_GRIDS][REPLICATION_MAX_VARIANTS];
} measured;

typedef struct bench {
    gpu_timer *timer;
    gpu_facts facts;
    rng random;
    uint32_t *in, *expected, *got; /* of the host, room for the largest grid */
    uint32_t *d_in, *d_out;
    int shared; /* bytes that a block can have */
    double megahertz[REPLICATION_JOBS * MAX_REPETITIONS],
        launch_us[REPLICATION_JOBS * MAX_REPETITIONS];
    size_t clock_readings;
} bench;

/* What comes before the times in a row. */
typedef enum columns { OF_GRID, OF_JOB, OF_WORDS, OF_VARIANT, OF_WATER, OF_STRUCTURES } columns;

static const char *const names_of[] = {
    [OF_GRID] = "what,grid,threads", [OF_JOB] = "what,variant", [OF_WORDS] = "what,variant,n",
    [OF_VARIANT] = "what",           [OF_WATER] = "what,side",  [OF_STRUCTURES] = "what,words,n"
};

/* A file has some jobs in a row, and the head of the first. */
static const struct {
    const char *name;
    int first, jobs;
    columns columns;
} files[] = {
    { "barrier_count.csv", REPLICATION_BARRIER_COUNT, 1, OF_GRID },
    { "ballot_scan.csv", REPLICATION_BALLOT_SCAN, 1, OF_GRID },
    { "shuffle.csv", REPLICATION_NEIGHBOUR, 3, OF_JOB },
    { "ballot_inside.csv", REPLICATION_BINARY_SCAN, 4, OF_WORDS },
    { "spmv.csv", REPLICATION_SPMV, 1, OF_VARIANT },
    { "tridiagonal.csv", REPLICATION_TRIDIAGONAL, 1, OF_VARIANT },
    { "water.csv", REPLICATION_WATER_SMALL, 3, OF_WATER },
    { "passes.csv", REPLICATION_SELECT, 4, OF_WORDS },
    { "structures.csv", REPLICATION_STRUCTURES_2, 6, OF_STRUCTURES },
    { "transpose.csv", REPLICATION_TRANSPOSE_3, 2, OF_STRUCTURES },
};
enum { FILES = sizeof files / sizeof *files };

static const char usage[] =
    "usage: gpu_replications [--out FOLDER] [--file NAME] [--quick] [--repetitions COUNT] "
    "[--commit "
    "TEXT] | --profile\n"
    "Measures on a GPU: counting barrier against sums, ballot against 32-bit scans, alone and in "
    "larger jobs, shuffle\nagainst shared memory, a sparse matrix times a vector, tridiagonal "
    "systems "
    "with shared memory and without,\ncompaction in one pass and in several, shallow water, arrays "
    "of "
    "structures.\n"
    "Writes barrier_count.csv, ballot_scan.csv, shuffle.csv, ballot_inside.csv, spmv.csv, "
    "tridiagonal.csv,\nwater.csv, passes.csv, structures.csv and transpose.csv.\n"
    "  -o, --out FOLDER         where to (build/bench); it is made\n"
    "  -f, --file NAME          only this one, such as water.csv\n"
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
        { "out", required_argument, NULL, 'o' },    { "file", required_argument, NULL, 'f' },
        { "quick", no_argument, NULL, 'q' },        { "repetitions", required_argument, NULL, 'r' },
        { "commit", required_argument, NULL, 'c' }, { "profile", no_argument, NULL, 'p' },
        { "help", no_argument, NULL, 'h' },         { 0 },
    };
    options chosen = { .folder = "build/bench" };
    int option;

    while ((option = getopt_long(argc, argv, "o:f:qr:c:ph", known, NULL)) != -1) {
        switch (option) {
        case 'o': chosen.folder = optarg; break;
        case 'f': chosen.file = optarg; break;
        case 'q': chosen.quick = true; break;
        case 'r': chosen.repetitions = number(optarg); break;
        case 'c': chosen.commit = optarg; break;
        case 'p': chosen.profile = true; break;
        case 'h': fputs(usage, stdout); exit(EXIT_SUCCESS);
        default: fputs(usage, stderr); exit(EXIT_USAGE);
        }
    }
    for (int f = 0; f <= FILES && chosen.file; f++) {
        if (f == FILES)
            die(EXIT_USAGE, "there is no file '%s'; see gpu_replications --help", chosen.file);
        if (strcmp(chosen.file, files[f].name) == 0)
            break;
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
    int units;
} share;

static void *compute_share(void *argument)
{
    const share *mine = argument;

    mine->job->reference(mine->in, mine->out, mine->units);
    return NULL;
}

static void compute_expected(const replication_job *job, const uint32_t *in, uint32_t *out,
                             int units)
{
    pthread_t helper[MAX_HELPERS];
    share shares[MAX_HELPERS];
    long cores = job->divisible ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    int helpers = cores < 1 ? 1 : cores > MAX_HELPERS ? MAX_HELPERS : (int)cores;
    int begun = 0;

    memset(out, REPLICATION_POISON, (size_t)units * (size_t)job->out * sizeof *out);
    for (int h = 0; h < helpers; h++) {
        int first = (int)((long)units * h / helpers), last = (int)((long)units * (h + 1) / helpers);
        shares[h] = (share){ job, in + (size_t)first * (size_t)job->in,
                             out + (size_t)first * (size_t)job->out, last - first };
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
    int units;
} launch;

static void do_launch(void *context)
{
    const launch *this = context;

    this->go(this->d_in, this->d_out, this->units);
}

static void do_spin(void *context) { replication_spin(*(const long long *)context); }

static double measure(const bench *b, gpu_timer_cache cache, void (*work)(void *), void *context)
{
    base_error error;
    double host_us, us = gpu_timer_measure(b->timer, cache, work, context, &host_us, &error);

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
    double idle = measure(b, GPU_TIMER_HOT, do_spin, &none),
           busy = measure(b, GPU_TIMER_HOT, do_spin, &many);

    if (counts) {
        b->launch_us[b->clock_readings] = idle;
        b->megahertz[b->clock_readings++] = SPIN_CYCLES / (busy - idle);
    }
}

/* Draws inputs for the job's largest grid, sends them to the GPU and computes what must come out of
   them. */
static void fresh_inputs(bench *b, const measured *m)
{
    int units = m->grid[m->grids - 1];

    replication_fill(m->job, b->in, units, &b->random);
    must(cudaMemcpy(b->d_in, b->in, (size_t)units * (size_t)m->job->in * sizeof *b->in,
                    cudaMemcpyHostToDevice),
         "copying inputs to the GPU");
    compute_expected(m->job, b->in, b->expected, units);
}

/* Returns whether the result was right; *us: what it took. */
static bool run_once(bench *b, const measured *m, const replication_variant *variant, int units,
                     double *us)
{
    const replication_job *job = m->job;
    size_t words = (size_t)units * (size_t)job->out, wrong, first = 0,
           scratch = (size_t)units * (size_t)job->scratch;
    launch this = { variant->launch, b->d_in, b->d_out, units };

    must(cudaMemset(b->d_out, REPLICATION_POISON, (words + scratch) * sizeof *b->got),
         "poisoning the output");
    if (variant->before)
        variant->before(b->d_in, b->d_out, units);
    *us = measure(b, job->cold ? GPU_TIMER_COLD : GPU_TIMER_HOT, do_launch, &this);
    if (variant->after)
        variant->after(b->d_in, b->d_out, units);
    must(cudaMemcpy(b->got, b->d_out, words * sizeof *b->got, cudaMemcpyDeviceToHost),
         "copying results from the GPU");
    wrong = replication_wrong(job, b->expected, b->got, words, &first);
    if (wrong && !variant->races)
        die(EXIT_BROKEN,
            "%s, %s, %d units: element %zu is %#x, and should be %#x (%zu of %zu wrong)", job->name,
            variant->name, units, first, b->got[first], b->expected[first], wrong, words);
    return wrong == 0;
}

static void measure_job(bench *b, measured *m, int repetitions)
{
    for (int repetition = -1; repetition < repetitions; repetition++) {
        fresh_inputs(b, m);
        read_clock(b, repetition >= 0);
        for (int g = 0; g < m->grids; g++) {
            if (!m->job->divisible &&
                m->grids > 1) /* a smaller grid's are not the first of a larger one's */
                compute_expected(m->job, b->in, b->expected, m->grid[g]);
            for (unsigned turn = 0; turn < m->job->variants; turn++) {
                unsigned v = (turn + (unsigned)(repetition + 1)) % m->job->variants;
                samples *s = &m->of[g][v];
                double us;
                if (m->job->variant[v].shared > b->shared)
                    continue;
                if (!run_once(b, m, &m->job->variant[v], m->grid[g], &us))
                    s->wrong++;
                if (repetition >= 0)
                    s->us[s->count++] = us;
            }
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
    fprintf(file, "# threads: %d\n", job->threads);
    if (job->rounds)
        fprintf(file, "# iterations: %d in one launch, each of which needs the one before\n",
                job->rounds);
    else
        fprintf(file, "# cache: %s\n",
                job->cold ? "emptied before each launch" : "as the launch before has left it");
    fprintf(file, "# spread: us_min and us_max are the least and the most of %d repetitions\n",
            chosen->repetitions);
}

/* What has no row, into the head: what was wrong at times, and what this GPU has no room for. */
static void write_missing(FILE *file, const measured *m, int g, unsigned v)
{
    const samples *s = &m->of[g][v];
    const char *job = m->job->name, *variant = m->job->variant[v].name;

    if (s->count == 0) {
        fprintf(file, "# not measured: %s,%s: a block has too little shared memory here\n", job,
                variant);
    } else if (s->wrong) {
        fprintf(file, "# wrong: %s,%s,%d blocks in %d of %d launches\n", job, variant, m->grid[g],
                s->wrong, s->count + 1);
        printf("%s, %s, %d blocks: wrong in %d of %d launches; no time is told\n", job, variant,
               m->grid[g], s->wrong, s->count + 1);
    }
}

static stats_summary summary(const measured *m, int g, unsigned v)
{
    samples copy = m->of[g][v];

    for (int i = 0; m->job->steps && i < copy.count; i++)
        copy.us[i] /= m->job->steps;
    return stats_summarise(copy.us, (size_t)copy.count);
}

static void write_row(FILE *file, const measured *m, int g, unsigned v, columns columns)
{
    const char *variant = m->job->variant[v].name;
    stats_summary s = summary(m, g, v);
    unsigned long long counted = engine_counts[m->job - replication_jobs][v];

    switch (columns) {
    case OF_GRID: fprintf(file, "%s,%d,%d", variant, m->grid[g], m->job->threads); break;
    case OF_JOB: fprintf(file, "%s,%s", m->job->name, variant); break;
    case OF_WORDS:
        fprintf(file, "%s,%s,%d", m->job->name, variant, m->grid[g] * m->job->elements);
        break;
    case OF_STRUCTURES:
        fprintf(file, "%s,%d,%d", variant, m->job->words, m->grid[g] * m->job->elements);
        break;
    case OF_VARIANT: fprintf(file, "%s", variant); break;
    case OF_WATER: fprintf(file, "%s,%d", variant, m->grid[g]); break;
    }
    fprintf(file, ",%.3f,%.3f,%.3f", s.median, s.min, s.max);
    if (m->job->counted)
        fprintf(file, ",%llu",
                counted * (unsigned long long)m->grid[g] / (unsigned long long)m->job->counted);
    fprintf(file, "\n");
    printf("%-16s %-20s %5d units %10.2f us  (%.2f to %.2f)\n", m->job->name, variant, m->grid[g],
           s.median, s.min, s.max);
}

static void write_rows(FILE *file, const measured *jobs, int count, columns columns)
{
    if (columns == OF_JOB)
        fprintf(file, "# blocks: %d\n", jobs->grid[0]);
    if (jobs->job == &replication_jobs[REPLICATION_SPMV])
        fprintf(file, "# rows: %d\n# nonzeros: %d\n", SPMV_ROWS, SPMV_NONZEROS);
    if (jobs->job == &replication_jobs[REPLICATION_TRIDIAGONAL])
        fprintf(file, "# rows: %d\n# systems: %d\n", SYSTEM_ROWS, jobs->grid[0]);
    if (columns == OF_WATER)
        fprintf(file,
                "# steps: %d one after the other at side %d, %d at side %d; us is of one\n"
                "# copy: %d bytes a cell read and as many written, as in a step\n",
                jobs[0].job->steps, jobs[0].grid[0], jobs[1].job->steps, jobs[1].grid[0],
                4 * WATER_COPIED);
    if (jobs->job->counted)
        fprintf(file,
                "# warp_instructions: counted by the engine for %d units, and in proportion to "
                "that\n",
                jobs->job->counted);
    for (const measured *m = jobs; m < jobs + count; m++)
        for (int g = 0; g < m->grids; g++)
            for (unsigned v = 0; v < m->job->variants; v++)
                write_missing(file, m, g, v);
    fprintf(file, "%s,us,us_min,us_max%s\n", names_of[columns],
            jobs->job->counted ? ",warp_instructions" : "");
    for (const measured *m = jobs; m < jobs + count; m++)
        for (int g = 0; g < m->grids; g++)
            for (unsigned v = 0; v < m->job->variants; v++)
                if (m->of[g][v].count > 0 && m->of[g][v].wrong == 0)
                    write_row(file, m, g, v, columns);
}

static bool is_wanted(const options *chosen, int f)
{
    return !chosen->file || strcmp(chosen->file, files[f].name) == 0;
}

static void write_file(bench *b, const measured *jobs, const options *chosen, int f)
{
    char *text = NULL, path[4096];
    size_t bytes = 0;
    base_error error;
    FILE *file = open_memstream(&text, &bytes);

    if (!file)
        die(EXIT_BROKEN, "no memory for %s", files[f].name);
    write_head(file, b, jobs[files[f].first].job, chosen);
    write_rows(file, &jobs[files[f].first], files[f].jobs, files[f].columns);
    if (fclose(file) != 0)
        die(EXIT_BROKEN, "no memory for %s", files[f].name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", chosen->folder, files[f].name) >= sizeof path)
        die(EXIT_USAGE, "the name of the folder is too long");
    if (!file_make_folders(chosen->folder, &error) || !file_write(path, text, bytes, &error))
        die(EXIT_BROKEN, "%s", error.text);
    free(text);
}

/* ---- main ------------------------------------------------------------------------------------ */

/* barrier_count and ballot_scan: powers of two up to 2048 blocks, four waves of a GPU with 132
   multiprocessors; what is done in a warp, as in the source: as many threads as the GPU holds at a
   time; a job that says how many units it has: so many; what else takes its words from memory:
   2^20, 2^22 and 2^24 of them. */
static void choose_grids(measured *m, const bench *b, const options *chosen)
{
    int held = 0; /* threads that a multiprocessor can hold */

    must(cudaDeviceGetAttribute(&held, cudaDevAttrMaxThreadsPerMultiProcessor, 0),
         "asking the GPU");
    if (m->job->units == REPLICATION_FILL)
        m->grid[m->grids++] = held / m->job->threads * b->facts.multiprocessors;
    else if (m->job->units)
        m->grid[m->grids++] = m->job->units / (chosen->quick && m->job->cold ? 16 : 1);
    else if (chosen->profile)
        m->grid[m->grids++] = PROFILE_BLOCKS;
    else if (m->job->cold)
        for (int blocks = 1 << 11; blocks <= 1 << 15; blocks *= chosen->quick ? 16 : 4)
            m->grid[m->grids++] = blocks;
    else
        for (int blocks = 1; blocks <= 2048; blocks *= chosen->quick ? 16 : 2)
            m->grid[m->grids++] = blocks;
}

static void open_bench(bench *b, const measured *jobs)
{
    base_error error;
    uint64_t seed;
    size_t in_words = 0, out_words = 0, device_words = 0;

    b->timer = gpu_timer_open(&error);
    if (!b->timer || !rng_secret_seed(&seed, &error))
        die(EXIT_BROKEN, "%s", error.text);
    rng_seed(&b->random, seed);
    must(cudaDeviceGetAttribute(&b->shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
         "asking the GPU");
    for (int j = 0; j < REPLICATION_JOBS; j++) {
        const replication_job *job = jobs[j].job;
        size_t units = (size_t)jobs[j].grid[jobs[j].grids - 1], in = units * (size_t)job->in,
               out = units * (size_t)job->out, device = out + units * (size_t)job->scratch;
        in_words = in > in_words ? in : in_words;
        out_words = out > out_words ? out : out_words;
        device_words = device > device_words ? device : device_words;
    }
    b->in = room(in_words * sizeof *b->in);
    b->expected = room(out_words * sizeof *b->expected);
    b->got = room(out_words * sizeof *b->got);
    must(cudaMalloc((void **)&b->d_in, in_words * sizeof *b->d_in), "memory of the GPU");
    must(cudaMalloc((void **)&b->d_out, device_words * sizeof *b->d_out), "memory of the GPU");
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
            if (variant->shared > b->shared)
                continue;
            bool right = run_once(b, &jobs[j], variant, jobs[j].grid[0], &us);
            printf("%-16s %-20s %5d units  %s\n", jobs[j].job->name, variant->name, jobs[j].grid[0],
                   right ? "right" : "wrong: it races");
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
        for (int f = 0; f < FILES; f++)
            for (int j = files[f].first; j < files[f].first + files[f].jobs; j++)
                if (is_wanted(&chosen, f))
                    measure_job(&b, &jobs[j], chosen.repetitions);
        for (int f = 0; f < FILES; f++)
            if (is_wanted(&chosen, f))
                write_file(&b, jobs, &chosen, f);
    }
    close_bench(&b);
    return EXIT_SUCCESS;
}
