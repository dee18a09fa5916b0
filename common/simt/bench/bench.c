/*
 * bench.c: how fast the engine runs. Program simt_bench.
 *
 * Runs six kernels (kernels[] below; their .cu files, compiled to PTX by the build, are beside this
 * one) with the checks off, counters alone, and all checks, on one core and on all that the process
 * may use, and writes one row each to a CSV file:
 *
 *     kernel,n,checks,cores,seconds,Melem_per_s,Mwarpinst_per_s
 *
 * seconds is the median of the repetitions, after one run that warms up; Melem_per_s is n, and
 * Mwarpinst_per_s the warp instructions counted in a launch of the same size, over that median.
 * Every output, the warm-up's too, is compared with what a loop on the host makes, and a finding of
 * the engine is an error: the speed of a wrong engine means nothing. A kernel whose blocks
 * communicate has rows for one core only, since the engine runs all its blocks on one host thread.
 *
 * --guard is for CTest: the block scan's speed as a ratio to the same scan in C (native_scan), both
 * timed by turns in processor time, the best of each; exit 1 where a ratio is below its floor. The
 * ratio depends little on the machine, and much on whether the engine has become slower.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "file.h"
#include "path.h"
#include "rng.h"
#include "simt.h"
#include "stats.h"
#include "fit.h"

enum {
    SECTION = 256,
    BINS = 64,
    STRIDE = 33,
    EXIT_SLOW = 1,
    EXIT_USAGE = 2,
    EXIT_BROKEN = 3,
    PTX_LIMIT = 1 << 20,
    MAX_REPETITIONS = 1000,
    SEED = 2026
};

/* What the host makes of n words; elements of the float kernels are small integers, so that every
   sum is exact, whatever the order. */
typedef void reference(const uint32_t *in, uint32_t *out, unsigned n);
static reference scan_sections, reduce_sections, scan_all, rank_odd, copy_stride, count_bins;

static const struct kernel {
    const char *name; /* of the kernel, and of its file */
    reference *expect;
    bool is_float;
    bool communicates;    /* its blocks do: one host thread */
    unsigned clear;       /* byte that its output is filled with before */
    unsigned per_section; /* outputs of a section of 256 elements; 0: BINS in all */
} kernels[] = {
    { "block_hillis_steele", scan_sections, true, false, 0xff, SECTION },
    { "reduce_sequential", reduce_sections, true, false, 0xff, 1 },
    { "scan_look_back", scan_all, false, true, 0xff, SECTION },
    { "rank_ballot", rank_odd, false, false, 0xff, SECTION },
    { "copy_strided", copy_stride, false, false, 0xff, SECTION },
    { "histogram_atomics", count_bins, false, true, 0, 0 },
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* of the first kernel; the others are run at the last one */
static const unsigned sizes[] = { 1u << 16, 1u << 18, 1u << 20 };

/* The least that the engine's block scan may make of the native one's speed. On a busy Xeon with
   AVX-512 it was 0.0187 and 0.0127 as gcc 12 compiles the engine, 0.0123 and 0.0083 as clang 14
   does: an engine that is 2.5 times slower is caught with gcc, noise is not. */
static const struct floor {
    const char *name;
    unsigned checks;
    double ratio;
} floors[] = {
    { "counters", SIMT_CHECK_COUNTERS, 0.0075 },
    { "all", SIMT_CHECK_ALL, 0.0050 },
};

static const struct level {
    const char *name;
    unsigned checks;
} levels[] = {
    { "off", 0 },
    { "counters", SIMT_CHECK_COUNTERS },
    { "all", SIMT_CHECK_ALL },
};

typedef struct options {
    const char *folder, *output, *only;
    unsigned repetitions, n; /* n: 0: as sizes[] has it */
    bool guard;
} options;

/* What one benchmark point needs: a device with the kernel and its arrays, and what must come
   out. */
typedef struct bench {
    const struct kernel *kernel;
    simt_device *device;
    simt_function_info info;
    simt_addr in, out, scratch; /* scratch: of a kernel with a fourth parameter: zeros */
    size_t scratch_bytes;
    unsigned n, outputs;
    uint32_t *expected, *got;
} bench;

/* ---- arguments ------------------------------------------------------------------------------- */

static const char usage[] =
    "usage: simt_bench [-o FILE] [-r COUNT] [-k KERNEL] [-n COUNT] [--guard] [--ptx FOLDER]\n"
    "Times the software GPU on a few kernels of parallel programming.\n"
    "  -o, --output FILE        the CSV file to write (build/bench/simt.csv); its folder is made\n"
    "  -r, --repetitions COUNT  timed runs a row, of which the median counts (5)\n"
    "  -k, --kernel NAME        only this one\n"
    "  -n, --elements COUNT     only this many elements, a power of two from 256 on\n"
    "      --guard              only compare the block scan's speed with that of a native loop; "
    "exit 1 if it is too low\n"
    "      --ptx FOLDER         where the kernels' PTX is, instead of what the build made\n"
    "  -h, --help               this text\n";

static unsigned parse_count(const char *name, const char *text, unsigned long least,
                            unsigned long most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end != '\0' || value < least || value > most)
        die(EXIT_USAGE, "--%s takes a number from %lu to %lu, not \"%s\"", name, least, most, text);
    return (unsigned)value;
}

static const char *parse_kernel(const char *name)
{
    for (unsigned k = 0; k < KERNELS; k++)
        if (strcmp(kernels[k].name, name) == 0)
            return name;
    fprintf(stderr, "simt_bench: there is no kernel \"%s\"; there are:\n", name);
    for (unsigned k = 0; k < KERNELS; k++)
        fprintf(stderr, "  %s\n", kernels[k].name);
    exit(EXIT_USAGE);
}

static options parse_arguments(int argc, char **argv)
{
    static const struct option names[] = {
        { "output", required_argument, NULL, 'o' }, { "repetitions", required_argument, NULL, 'r' },
        { "kernel", required_argument, NULL, 'k' }, { "elements", required_argument, NULL, 'n' },
        { "ptx", required_argument, NULL, 'p' },    { "guard", no_argument, NULL, 'g' },
        { "help", no_argument, NULL, 'h' },         { NULL, 0, NULL, 0 },
    };
    options chosen = { .folder = SIMT_BENCH_PTX /* from the build */,
                       .output = "build/bench/simt.csv",
                       .repetitions = 5 };
    int option;

    while ((option = getopt_long(argc, argv, "o:r:k:n:h", names, NULL)) != -1)
        switch (option) {
        case 'o': chosen.output = optarg; break;
        case 'r':
            chosen.repetitions = parse_count("repetitions", optarg, 1, MAX_REPETITIONS);
            break;
        case 'k': chosen.only = parse_kernel(optarg); break;
        case 'n': chosen.n = parse_count("elements", optarg, SECTION, 1u << 24); break;
        case 'p': chosen.folder = optarg; break;
        case 'g': chosen.guard = true; break;
        case 'h': fit_print(stdout, "%s", usage); exit(0);
        default: fit_print(stderr, "%s", usage); exit(EXIT_USAGE);
        }
    if (optind < argc)
        die(EXIT_USAGE, "unexpected argument \"%s\"; try simt_bench --help", argv[optind]);
    if (chosen.n & (chosen.n - 1))
        die(EXIT_USAGE, "--elements takes a power of two, not %u", chosen.n);
    return chosen;
}

/* ---- what must come out ---------------------------------------------------------------------- */

static uint32_t float_sum(uint32_t a, uint32_t b)
{
    float x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static void scan_sections(const uint32_t *in, uint32_t *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = i % SECTION == 0 ? in[i] : float_sum(out[i - 1], in[i]);
}

static void reduce_sections(const uint32_t *in, uint32_t *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i / SECTION] = i % SECTION == 0 ? in[i] : float_sum(out[i / SECTION], in[i]);
}

static void scan_all(const uint32_t *in, uint32_t *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = i == 0 ? in[0] : out[i - 1] + in[i];
}

static void rank_odd(const uint32_t *in, uint32_t *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = i % SECTION == 0 ? 0 : out[i - 1] + (in[i - 1] & 1);
}

static void copy_stride(const uint32_t *in, uint32_t *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = in[i * STRIDE & (n - 1)];
}

static void count_bins(const uint32_t *in, uint32_t *out, unsigned n)
{
    memset(out, 0, BINS * sizeof *out);
    for (unsigned i = 0; i < n; i++)
        out[in[i] & (BINS - 1)]++;
}

/* ---- set-up of one size ---------------------------------------------------------------------- */

static void check(simt_status status, const simt_device *device, const char *doing)
{
    if (status != SIMT_OK)
        die(EXIT_BROKEN, "%s: %s", doing, simt_error(device));
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory)
        die(EXIT_BROKEN, "no memory for %zu bytes", bytes);
    return memory;
}

static void load_kernel(bench *b, const char *folder)
{
    char path[PATH_MAX], *ptx;
    size_t bytes;
    unsigned module;
    base_error error;

    snprintf(path, sizeof path, "%s/%s.ptx", folder, b->kernel->name);
    if (!file_read(path, PTX_LIMIT, &ptx, &bytes, &error))
        die(EXIT_BROKEN, "%s; build the target simt_bench_ptx first, or name a folder with --ptx",
            error.text);
    check(simt_module_load(b->device, ptx, bytes, path_name(path), &module), b->device,
          "loading the kernel");
    check(simt_function(b->device, module, b->kernel->name, &b->info), b->device,
          "finding the kernel");
    if (b->info.params != 3 && b->info.params != 4)
        die(EXIT_BROKEN,
            "%s in %s has %u parameters instead of (in, out, n) or (in, out, n, scratch)",
            b->kernel->name, path, b->info.params);
    free(ptx);
}

static void make_data(bench *b)
{
    size_t bytes = b->n * sizeof(uint32_t);
    uint32_t *in = allocate(bytes);
    rng numbers;

    rng_seed(&numbers, SEED);
    for (unsigned i = 0; i < b->n; i++) {
        int32_t value = (int32_t)rng_between(&numbers, -8, 8);
        float as_float = (float)value;

        memcpy(&in[i], b->kernel->is_float ? (void *)&as_float : (void *)&value, sizeof in[i]);
    }
    b->expected = allocate(bytes < BINS * sizeof *in ? BINS * sizeof *in : bytes);
    b->got = allocate(b->outputs * sizeof *b->got);
    b->kernel->expect(in, b->expected, b->n);
    check(simt_alloc(b->device, bytes, &b->in), b->device, "allocating the input");
    check(simt_alloc(b->device, b->outputs * sizeof *b->got, &b->out), b->device,
          "allocating the output");
    check(simt_alloc(b->device, b->scratch_bytes, &b->scratch), b->device,
          "allocating scratch memory");
    check(simt_write(b->device, b->in, in, bytes), b->device, "copying the input");
    free(in);
}

static bench bench_open(const struct kernel *kernel, const char *folder, unsigned n)
{
    bench b = { .kernel = kernel, .n = n };
    simt_config config = simt_default_config();
    simt_status status = simt_open(&config, &b.device);
    unsigned blocks = (n + SECTION - 1) / SECTION;

    if (status != SIMT_OK)
        die(EXIT_BROKEN, "the software GPU does not open (status %d)", (int)status);
    b.outputs = kernel->per_section ? blocks * kernel->per_section : BINS;
    b.scratch_bytes = (1 + 3 * (size_t)blocks) * sizeof(uint32_t);
    load_kernel(&b, folder);
    make_data(&b);
    return b;
}

static void bench_close(bench *b)
{
    simt_close(b->device);
    free(b->expected);
    free(b->got);
}

/* ---- running --------------------------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check_output(bench *b)
{
    check(simt_read(b->device, b->got, b->out, b->outputs * sizeof *b->got), b->device,
          "copying the output");
    for (unsigned i = 0; i < b->outputs; i++)
        if (b->got[i] != b->expected[i])
            die(EXIT_BROKEN,
                "%s, n = %u: output %u is 0x%08x and should be 0x%08x: the engine is wrong, so its "
                "speed means nothing",
                b->kernel->name, b->n, i, b->got[i], b->expected[i]);
}

/* One launch, checked; returns its seconds by that clock. The output is filled first, so that the
   last run's output cannot pass for this one's. */
static double run_once(bench *b, simt_report *report, clockid_t clock)
{
    unsigned char params[64] = { 0 };
    int n = (int)b->n;
    simt_launch_args args = {
        .function = b->info.function,
        .grid = { (b->n + SECTION - 1) / SECTION, 1, 1 },
        .block = { SECTION, 1, 1 },
        .params = params,
        .param_bytes = b->info.param_bytes,
    };

    memcpy(params + b->info.param_offset[0], &b->in, sizeof b->in);
    memcpy(params + b->info.param_offset[1], &b->out, sizeof b->out);
    memcpy(params + b->info.param_offset[2], &n, sizeof n);
    if (b->info.params > 3)
        memcpy(params + b->info.param_offset[3], &b->scratch, sizeof b->scratch);
    check(simt_fill(b->device, b->out, (uint8_t)b->kernel->clear, b->outputs * sizeof *b->got),
          b->device, "clearing the output");
    check(simt_fill(b->device, b->scratch, 0, b->scratch_bytes), b->device,
          "clearing scratch memory");

    double start = seconds_of(clock);
    simt_status status = simt_launch(b->device, &args, report);
    double seconds = seconds_of(clock) - start;

    check(status, b->device, "running the kernel");
    if (report->findings > 0) {
        simt_words words;
        simt_finding_words(&report->finding[0], NULL, &words);
        die(EXIT_BROKEN, "%s, n = %u: the engine reports a fault that is not there: %s",
            b->kernel->name, b->n, words.message);
    }
    check_output(b);
    return seconds;
}

/* Warp instructions of a launch of this size: the same whatever the checks and cores, but counted
   only with counters on. */
static uint64_t count_instructions(bench *b, simt_report *report)
{
    simt_config config = simt_default_config();

    config.checks = SIMT_CHECK_COUNTERS;
    check(simt_configure(b->device, &config), b->device, "configuring the device");
    run_once(b, report, CLOCK_MONOTONIC);
    return report->counts.warp_instructions;
}

static double median_seconds(bench *b, unsigned checks, unsigned cores, unsigned repetitions,
                             simt_report *report)
{
    simt_config config = simt_default_config();
    double seconds[MAX_REPETITIONS];

    config.checks = checks;
    config.host_threads = cores;
    check(simt_configure(b->device, &config), b->device, "configuring the device");
    run_once(b, report, CLOCK_MONOTONIC);
    for (unsigned i = 0; i < repetitions; i++)
        seconds[i] = run_once(b, report, CLOCK_MONOTONIC);
    return stats_median(seconds, repetitions);
}

/* Those that this process may use: `taskset -c 0,1 simt_bench` has two. */
static unsigned processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set)
                                                       : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

/* All rows of one size: to the CSV text, and to the terminal. */
static void bench_size(bench *b, const options *chosen, FILE *csv)
{
    static simt_report report; /* large */
    unsigned all_cores = b->kernel->communicates ? 1 : processors();
    double instructions = (double)count_instructions(b, &report);

    for (size_t level = 0; level < sizeof levels / sizeof levels[0]; level++)
        for (unsigned cores = 1; cores <= all_cores;
             cores = cores < all_cores ? all_cores : all_cores + 1) {
            double seconds =
                median_seconds(b, levels[level].checks, cores, chosen->repetitions, &report);
            double elements = b->n / seconds / 1e6,
                   warp_instructions = instructions / seconds / 1e6;

            fprintf(csv, "%s,%u,%s,%u,%.9f,%.3f,%.3f\n", b->kernel->name, b->n, levels[level].name,
                    cores, seconds, elements, warp_instructions);
            fit_print(stdout, "%-19s %8u %-8s %5u %10.3f %9.2f %10.1f\n", b->kernel->name, b->n,
                      levels[level].name, cores, seconds * 1e3, elements, warp_instructions);
            fflush(stdout);
        }
}

static void bench_all(const options *chosen, FILE *csv)
{
    fprintf(csv, "kernel,n,checks,cores,seconds,Melem_per_s,Mwarpinst_per_s\n");
    fit_print(stdout, "median of %u; Mwarp/s: million warp instructions a second\n",
              chosen->repetitions);
    fit_print(stdout, "%-19s %8s %-8s %5s %10s %9s %10s\n", "kernel", "n", "checks", "cores", "ms",
              "Melem/s", "Mwarp/s");
    for (size_t k = 0; k < KERNELS; k++)
        for (size_t i = chosen->n || k ? sizeof sizes / sizeof sizes[0] - 1 : 0;
             i < sizeof sizes / sizeof sizes[0]; i++) {
            if (chosen->only && strcmp(chosen->only, kernels[k].name) != 0)
                continue;
            bench b = bench_open(&kernels[k], chosen->folder, chosen->n ? chosen->n : sizes[i]);
            bench_size(&b, chosen, csv);
            bench_close(&b);
        }
}

/* ---- guard against getting slower ------------------------------------------------------------ */

/* The scan as a C programmer writes it: each sum waits for the one before, so that compilers and
   the width of vectors make no difference. */
static __attribute__((noinline)) void native_scan(const float *restrict in, float *restrict out,
                                                  unsigned n)
{
    for (unsigned at = 0; at < n; at += SECTION) {
        float sum = 0;

        for (unsigned t = 0; t < SECTION; t++)
            out[at + t] = sum += in[at + t];
    }
}

/* Best of the passes, in elements a second of processor time. */
static double time_native(bench *b, const float *in, float *out)
{
    enum { PASSES = 64 };
    double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

    for (unsigned pass = 0; pass < PASSES; pass++)
        native_scan(in, out, b->n);
    double seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (memcmp(out, b->expected, b->n * sizeof *out) != 0)
        die(EXIT_BROKEN, "the native scan is wrong");
    return (double)PASSES * b->n / seconds;
}

static int guard(const options *chosen)
{
    enum { N = 1 << 16, ROUNDS = 15 };
    static simt_report report;
    bench b = bench_open(&kernels[0], chosen->folder, N);
    float *in = allocate(N * sizeof *in), *out = allocate(N * sizeof *out);
    bool slow = false;

    check(simt_read(b.device, in, b.in, N * sizeof *in), b.device, "copying the input");
    for (size_t level = 0; level < sizeof floors / sizeof *floors; level++) {
        simt_config config = simt_default_config();
        double native = 0, engine = 0;

        config.checks = floors[level].checks;
        config.host_threads = 1;
        check(simt_configure(b.device, &config), b.device, "configuring the device");
        for (unsigned round = 0; round < ROUNDS; round++) {
            double one = time_native(&b, in, out),
                   other = N / run_once(&b, &report, CLOCK_PROCESS_CPUTIME_ID);

            native = one > native ? one : native;
            engine = other > engine ? other : engine;
        }
        slow |= engine / native < floors[level].ratio;
        printf(
            "checks %-8s  engine %7.2f, native %8.1f million elements/s: ratio %.5f, floor %.5f\n",
            floors[level].name, engine / 1e6, native / 1e6, engine / native, floors[level].ratio);
    }
    if (slow)
        printf("the engine has become slower: compare with `make bench` at the commit before\n");
    free(in);
    free(out);
    bench_close(&b);
    return slow ? EXIT_SLOW : 0;
}

/* ---- main ------------------------------------------------------------------------------------ */

static void write_csv(const char *path, const char *text, size_t bytes)
{
    char folder[PATH_MAX];
    base_error error;

    if (!path_parent(folder, sizeof folder, path, &error) || !file_make_folders(folder, &error) ||
        !file_write(path, text, bytes, &error))
        die(EXIT_BROKEN, "%s", error.text);
}

int main(int argc, char **argv)
{
    file_open_standard();
    options chosen = parse_arguments(argc, argv);
    char *text = NULL;
    size_t text_bytes = 0;

    if (chosen.guard)
        return guard(&chosen);
    FILE *csv = open_memstream(&text, &text_bytes);
    if (!csv)
        die(EXIT_BROKEN, "no memory for the results");
    bench_all(&chosen, csv);
    fclose(csv);
    write_csv(chosen.output, text, text_bytes);
    printf("written to %s\n", chosen.output);
    free(text);
    return 0;
}
