/*
 * bench.c: how fast the engine runs. Program simt_bench.
 *
 * Runs the 256-thread Hillis-Steele block scan (block_hillis_steele.cu, compiled to PTX by the build) at three sizes, with
 * the checks off, counters alone, and all checks, on one core and on all, and writes one row each to a CSV file:
 *
 *     kernel,n,checks,cores,seconds,Melem_per_s,Mwarpinst_per_s
 *
 * seconds is the median of the repetitions, after one run that warms up; Melem_per_s is n, and Mwarpinst_per_s the warp
 * instructions counted in a launch of the same size, over that median. Every output, the warm-up's too, is compared with a
 * scan on the host, and a finding of the engine is an error: a wrong engine has no speed.
 */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
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

enum { SECTION = 256, EXIT_USAGE = 2, EXIT_BROKEN = 3, PTX_LIMIT = 1 << 20, MAX_REPETITIONS = 1000, SEED = 2026 };

static const char kernel_name[] = "block_hillis_steele";
static const unsigned sizes[] = { 1u << 16, 1u << 18, 1u << 20 };

static const struct level { const char *name; unsigned checks; } levels[] = {
    { "off", 0 }, { "counters", SIMT_CHECK_COUNTERS }, { "all", SIMT_CHECK_ALL },
};

typedef struct options {
    const char *ptx, *output;
    unsigned repetitions;
} options;

/* What one benchmark point needs: a device with the kernel and both arrays, and what must come out. */
typedef struct bench {
    simt_device *device;
    unsigned function;
    size_t param_bytes, param_offset[3];
    simt_addr in, out;
    unsigned n;
    float *expected, *got;
} bench;

/* ---- arguments ------------------------------------------------------------------------------------------------- */

static const char usage[] =
    "usage: simt_bench [-o FILE] [-r COUNT] [--ptx FILE]\n"
    "Times the software GPU on the 256-thread Hillis-Steele block scan.\n"
    "  -o, --output FILE        the CSV file to write (build/bench/simt.csv); its folder is made\n"
    "  -r, --repetitions COUNT  timed runs a row, of which the median counts (5)\n"
    "      --ptx FILE           the kernel's PTX, instead of the one that the build made\n"
    "  -h, --help               this text\n";

static unsigned parse_count(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > MAX_REPETITIONS)
        die(EXIT_USAGE, "--repetitions wants a number from 1 to %d, not \"%s\"", MAX_REPETITIONS, text);
    return (unsigned)value;
}

static options parse_arguments(int argc, char **argv)
{
    static const struct option names[] = {
        { "output", required_argument, NULL, 'o' }, { "repetitions", required_argument, NULL, 'r' },
        { "ptx", required_argument, NULL, 'p' },    { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    options chosen = { SIMT_BENCH_PTX /* from the build */, "build/bench/simt.csv", 5 };
    int option;

    while ((option = getopt_long(argc, argv, "o:r:h", names, NULL)) != -1)
        switch (option) {
        case 'o': chosen.output = optarg; break;
        case 'r': chosen.repetitions = parse_count(optarg); break;
        case 'p': chosen.ptx = optarg; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(EXIT_USAGE);
        }
    if (optind < argc)
        die(EXIT_USAGE, "unexpected argument \"%s\"; try simt_bench --help", argv[optind]);
    return chosen;
}

/* ---- set-up of one size ---------------------------------------------------------------------------------------- */

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

static void load_kernel(bench *b, const char *ptx, size_t bytes, const char *name)
{
    simt_function_info info;
    unsigned module;

    check(simt_module_load(b->device, ptx, bytes, name, &module), b->device, "loading the kernel");
    check(simt_function(b->device, module, kernel_name, &info), b->device, "finding the kernel");
    if (info.params != 3)
        die(EXIT_BROKEN, "%s in %s has %u parameters instead of (in, out, n)", kernel_name, name, info.params);
    b->function = info.function;
    b->param_bytes = info.param_bytes;
    memcpy(b->param_offset, info.param_offset, sizeof b->param_offset);
}

/* Small integers: every sum is exact in float, whatever the order. */
static void make_data(bench *b)
{
    size_t bytes = b->n * sizeof(float);
    float *in = allocate(bytes);
    rng numbers;

    b->expected = allocate(bytes);
    b->got = allocate(bytes);
    rng_seed(&numbers, SEED);
    for (unsigned i = 0; i < b->n; i++) {
        in[i] = (float)rng_between(&numbers, -8, 8);
        b->expected[i] = i % SECTION == 0 ? in[i] : b->expected[i - 1] + in[i];
    }
    check(simt_alloc(b->device, bytes, &b->in), b->device, "allocating the input");
    check(simt_alloc(b->device, bytes, &b->out), b->device, "allocating the output");
    check(simt_write(b->device, b->in, in, bytes), b->device, "copying the input");
    free(in);
}

static bench bench_open(const char *ptx, size_t bytes, const char *name, unsigned n)
{
    bench b = { .n = n };
    simt_config config = simt_default_config();
    simt_status status = simt_open(&config, &b.device);

    if (status != SIMT_OK)
        die(EXIT_BROKEN, "the software GPU does not open (status %d)", (int)status);
    load_kernel(&b, ptx, bytes, name);
    make_data(&b);
    return b;
}

static void bench_close(bench *b)
{
    simt_close(b->device);
    free(b->expected);
    free(b->got);
}

/* ---- running --------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check_output(bench *b)
{
    check(simt_read(b->device, b->got, b->out, b->n * sizeof(float)), b->device, "copying the output");
    for (unsigned i = 0; i < b->n; i++)
        if (!(b->got[i] == b->expected[i]))
            die(EXIT_BROKEN, "%s, n = %u: element %u is %g and should be %g: the engine is wrong, so its speed means nothing",
                kernel_name, b->n, i, (double)b->got[i], (double)b->expected[i]);
}

/* One launch, checked; returns its seconds. The output is poisoned first, so that the last run's cannot pass for this one's. */
static double run_once(bench *b, simt_report *report)
{
    unsigned char params[64] = { 0 };
    int n = (int)b->n;
    simt_launch_args args = {
        .function = b->function, .grid = { (b->n + SECTION - 1) / SECTION, 1, 1 }, .block = { SECTION, 1, 1 },
        .params = params, .param_bytes = b->param_bytes,
    };

    memcpy(params + b->param_offset[0], &b->in, sizeof b->in);
    memcpy(params + b->param_offset[1], &b->out, sizeof b->out);
    memcpy(params + b->param_offset[2], &n, sizeof n);
    check(simt_fill(b->device, b->out, 0xff, b->n * sizeof(float)), b->device, "clearing the output");

    double start = now();
    simt_status status = simt_launch(b->device, &args, report);
    double seconds = now() - start;

    check(status, b->device, "running the kernel");
    if (report->findings > 0)
        die(EXIT_BROKEN, "%s, n = %u: the engine reports a fault that is not there: %s", kernel_name, b->n,
            report->finding[0].message);
    check_output(b);
    return seconds;
}

/* Warp instructions of a launch of this size: the same whatever the checks and cores, but counted only with counters on. */
static uint64_t count_instructions(bench *b, simt_report *report)
{
    simt_config config = simt_default_config();

    config.checks = SIMT_CHECK_COUNTERS;
    check(simt_configure(b->device, &config), b->device, "configuring the device");
    run_once(b, report);
    return report->counts.warp_instructions;
}

static double median_seconds(bench *b, unsigned checks, unsigned cores, unsigned repetitions, simt_report *report)
{
    simt_config config = simt_default_config();
    double seconds[MAX_REPETITIONS];

    config.checks = checks;
    config.host_threads = cores;
    check(simt_configure(b->device, &config), b->device, "configuring the device");
    run_once(b, report);
    for (unsigned i = 0; i < repetitions; i++)
        seconds[i] = run_once(b, report);
    return stats_median(seconds, repetitions);
}

/* All rows of one size: to the CSV text, and to the terminal. */
static void bench_size(bench *b, const options *chosen, FILE *csv)
{
    static simt_report report;  /* large */
    unsigned all_cores = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    double instructions = (double)count_instructions(b, &report);

    for (size_t level = 0; level < sizeof levels / sizeof levels[0]; level++)
        for (unsigned cores = 1; cores <= all_cores; cores = cores < all_cores ? all_cores : all_cores + 1) {
            double seconds = median_seconds(b, levels[level].checks, cores, chosen->repetitions, &report);
            double elements = b->n / seconds / 1e6, warp_instructions = instructions / seconds / 1e6;

            fprintf(csv, "%s,%u,%s,%u,%.9f,%.3f,%.3f\n", kernel_name, b->n, levels[level].name, cores, seconds, elements,
                    warp_instructions);
            printf("%9u  %-8s  %5u  %10.3f  %9.2f  %15.1f\n", b->n, levels[level].name, cores, seconds * 1e3, elements,
                   warp_instructions);
            fflush(stdout);
        }
}

/* ---- main ------------------------------------------------------------------------------------------------------ */

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
    options chosen = parse_arguments(argc, argv);
    char *ptx, *text = NULL;
    size_t ptx_bytes, text_bytes = 0;
    base_error error;

    if (!file_read(chosen.ptx, PTX_LIMIT, &ptx, &ptx_bytes, &error))
        die(EXIT_BROKEN, "%s; build the target simt_bench_ptx first, or name a file with --ptx", error.text);
    FILE *csv = open_memstream(&text, &text_bytes);
    if (!csv)
        die(EXIT_BROKEN, "no memory for the results");

    fprintf(csv, "kernel,n,checks,cores,seconds,Melem_per_s,Mwarpinst_per_s\n");
    printf("%s, median of %u\n", kernel_name, chosen.repetitions);
    printf("%9s  %-8s  %5s  %10s  %9s  %15s\n", "n", "checks", "cores", "ms", "Melem/s", "M warp instr./s");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bench b = bench_open(ptx, ptx_bytes, path_name(chosen.ptx), sizes[i]);
        bench_size(&b, &chosen, csv);
        bench_close(&b);
    }
    fclose(csv);
    write_csv(chosen.output, text, text_bytes);
    printf("written to %s\n", chosen.output);
    free(text);
    free(ptx);
    return 0;
}
