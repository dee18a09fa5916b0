/*
 * repeat.cu: gpu_repeat, which runs scans of floats again and again on the same data: how many
 * runs differ from the first, in how many elements, and by how much; and how long each takes. Labs
 * 10, 11 and 11's bonus beside CUB, the newest CUB where newer.so is there, and a copy. C++: CUB is
 * made of templates.
 *
 *     gpu_repeat CSV [COMMIT [MOST]]     MOST: the largest n is 2^MOST, 10 to 28; 28 unless said
 *
 * The data have full mantissas, either sign, and 24 powers of two, so that each order of additions
 * rounds in its own way. A line for each program, type and n:
 *
 *     us, us_min, us_max   median, least and most of REPETITIONS in turn, a cold cache before each
 *     GBps                 2n elements over us
 *     runs                 after the first
 *     differ               how many of them have an element of other bits
 *     elements             at most, in a run
 *     ulps                 the largest distance of an element, in numbers of its type between
 *
 * Each output is compared with a sum in double, lab 11's, to 10^-3 of the sum of all magnitudes: a
 * program that is off by more has no line. Exit status: 1 one is, 3 CUDA failed.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

#include <unistd.h>

#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <cuda_runtime.h>

#include "../../../../labs/10_decoupled_lookback/decoupled_lookback.h"
#include "../../../../labs/11_speed_of_light/speed_of_light.h"
#include "../../../../labs/11_speed_of_light_same_bits/speed_of_light_same_bits.h"
#include "newer.h"

#define _Noreturn [[noreturn]] /* C, in error.h */
extern "C" {
#include "facts.h"
}

enum { LEAST_LOG = 10, MOST_LOG = 28, RUNS = 50, REPETITIONS = 21, BLOCKS = 2048, THREADS = 256 };

static const int sizes[] = { 10, 12, 14, 16, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28 };

typedef struct memory {
    void *d_in, *d_out, *d_first, *d_temp, *d_flush;
    double *d_exact;
    int *d_depth;
    unsigned long long *d_counts; /* see compare */
    size_t temp_bytes, flush_bytes;
    cudaEvent_t begin, end;
} memory;

static memory m;
static decltype(&newer_scan) run_newer;

static void ok(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "gpu_repeat: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

/* ---- what is run ----------------------------------------------------------------------------- */

typedef void scan_call(bool doubles, long long n);

static void copy(bool doubles, long long n)
{
    ok(cudaMemcpyAsync(m.d_out, m.d_in, (size_t)n * (doubles ? 8 : 4), cudaMemcpyDeviceToDevice),
       "copy");
}

static void look_back(bool, long long n)
{
    lookback_f32((const float *)m.d_in, (float *)m.d_out, m.d_depth, n);
}

static void speed_of_light(bool, long long n)
{
    speed_f32((const float *)m.d_in, (float *)m.d_out, n);
}

static void same_bits(bool doubles, long long n)
{
    if (doubles)
        same_bits_f64((const double *)m.d_in, (double *)m.d_out, n);
    else
        same_bits_f32((const float *)m.d_in, (float *)m.d_out, n);
}

static void cub_inscan(bool doubles, long long n)
{
    size_t bytes = m.temp_bytes;

    ok(doubles ? cub::DeviceScan::InclusiveSum(m.d_temp, bytes, (const double *)m.d_in,
                                               (double *)m.d_out, n)
               : cub::DeviceScan::InclusiveSum(m.d_temp, bytes, (const float *)m.d_in,
                                               (float *)m.d_out, n),
       "CUB");
}

static void newer_inscan(bool doubles, long long n)
{
    ok((cudaError_t)run_newer(m.d_in, m.d_out, n, doubles, false), "the newer CUB");
}

static void newer_run_to_run(bool doubles, long long n)
{
    ok((cudaError_t)run_newer(m.d_in, m.d_out, n, doubles, true), "the newer CUB, run_to_run");
}

typedef struct scan_program {
    const char *what;
    scan_call *run;
    bool copies, floats_only, newer;
} scan_program;

static const scan_program programs[] = {
    { .what = "memcpyD2D", .run = copy, .copies = true },
    { .what = "10_decoupled_lookback", .run = look_back, .floats_only = true },
    { .what = "11_speed_of_light", .run = speed_of_light, .floats_only = true },
    { .what = "11_speed_of_light_same_bits", .run = same_bits },
    { .what = "cub_inscan", .run = cub_inscan },
    { .what = "cub_newer_inscan", .run = newer_inscan, .newer = true },
    { .what = "cub_newer_run_to_run", .run = newer_run_to_run, .newer = true },
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static bool takes_part(const scan_program *p, bool doubles)
{
    return (!p->floats_only || !doubles) && (!p->newer || run_newer);
}

/* ---- data and comparisons -------------------------------------------------------------------- */

#define EACH(i, n)                                                                                 \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;                    \
         i += (long long)gridDim.x * blockDim.x)

static __device__ unsigned long long mix(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

template <typename T> static __global__ void draw(T *d_in, long long n)
{
    const int bits = sizeof(T) == 8 ? 53 : 24;

    EACH(i, n)
    {
        const unsigned long long drawn = mix(i), mantissa = drawn >> (64 - bits) | 1;
        const T value = (T)ldexp((double)mantissa, (int)(drawn % 24) - 12 - bits);
        d_in[i] = drawn >> 5 & 1 ? value : -value;
    }
}

template <typename T> static __global__ void widen(const T *d_in, double *d_out, long long n)
{
    EACH(i, n) d_out[i] = d_in[i];
}

static __device__ long long bits_of(float x) { return __float_as_int(x); }
static __device__ long long bits_of(double x) { return __double_as_longlong(x); }

/* Of two numbers of a type: how many lie between, and one more. */
static __device__ unsigned long long distance(float a, float b)
{
    const long long x = __float_as_int(a), y = __float_as_int(b), p = x < 0 ? -(x & 0x7fffffff) : x,
                    q = y < 0 ? -(y & 0x7fffffff) : y;

    return p > q ? p - q : q - p;
}
static __device__ unsigned long long distance(double a, double b)
{
    const long long x = __double_as_longlong(a), y = __double_as_longlong(b), low = ~(1ll << 63),
                    p = x < 0 ? -(x & low) : x, q = y < 0 ? -(y & low) : y;

    return p > q ? (unsigned long long)p - q : (unsigned long long)q - p;
}

/* d_counts: elements of other bits; the largest distance; elements that are off by more than may
   be. */
template <typename T>
static __global__ void compare(const T *d_out, const T *d_first, const double *d_exact,
                               double may_be, long long n, unsigned long long *d_counts)
{
    EACH(i, n)
    {
        if (bits_of(d_out[i]) != bits_of(d_first[i])) {
            atomicAdd(&d_counts[0], 1ull);
            atomicMax(&d_counts[1], distance(d_out[i], d_first[i]));
        }
        if (!(fabs((double)d_out[i] - d_exact[i]) <= may_be))
            atomicAdd(&d_counts[2], 1ull);
    }
}

template <typename T> static void make_data(long long n)
{
    draw<<<BLOCKS, THREADS>>>((T *)m.d_in, n);
    widen<<<BLOCKS, THREADS>>>((const T *)m.d_in, (double *)m.d_out, n);
    size_t bytes = m.temp_bytes;
    ok(cub::DeviceScan::InclusiveSum(m.d_temp, bytes, (const double *)m.d_out, m.d_exact, n),
       "exact sums");
}

/* The mean magnitude of an element is 2^12 / 24 / 2. */
static double may_be(long long n) { return 1e-3 * 4096 / 48 * (double)n; }

typedef struct counts {
    unsigned long long elements, ulps, wrong;
} counts;

static counts compared(bool doubles, long long n)
{
    counts c;

    ok(cudaMemset(m.d_counts, 0, sizeof c), "clear");
    if (doubles)
        compare<<<BLOCKS, THREADS>>>((const double *)m.d_out, (const double *)m.d_first, m.d_exact,
                                     may_be(n), n, m.d_counts);
    else
        compare<<<BLOCKS, THREADS>>>((const float *)m.d_out, (const float *)m.d_first, m.d_exact,
                                     may_be(n), n, m.d_counts);
    ok(cudaMemcpy(&c, m.d_counts, sizeof c, cudaMemcpyDeviceToHost), "comparing");
    return c;
}

/* ---- one n ----------------------------------------------------------------------------------- */

static float run_timed(const scan_program *p, bool doubles, long long n)
{
    float ms;

    ok(cudaMemsetAsync(m.d_flush, 1, m.flush_bytes), "flush");
    ok(cudaEventRecord(m.begin), "event");
    p->run(doubles, n);
    ok(cudaEventRecord(m.end), "event");
    ok(cudaEventSynchronize(m.end), p->what);
    ok(cudaGetLastError(), p->what);
    ok(cudaEventElapsedTime(&ms, m.begin, m.end), "time");
    return 1000 * ms;
}

/* Runs after the first, compared with it. */
static counts run_again(const scan_program *p, bool doubles, long long n, int *differ)
{
    const size_t bytes = (size_t)n * (doubles ? 8 : 4);
    counts most = { 0, 0, 0 };

    *differ = 0;
    for (int r = 0; r < RUNS; r++) {
        ok(cudaMemset(m.d_out, 0xff, bytes), "poison");
        p->run(doubles, n);
        ok(cudaDeviceSynchronize(), p->what);
        if (r == 0)
            ok(cudaMemcpy(m.d_first, m.d_out, bytes, cudaMemcpyDeviceToDevice), "keeping");
        const counts c = compared(doubles, n);
        *differ += c.elements > 0;
        most.elements = std::max(most.elements, c.elements);
        most.ulps = std::max(most.ulps, c.ulps);
        most.wrong += c.wrong;
    }
    return most;
}

/* How many programs were wrong. */
static int run_size(FILE *csv, bool doubles, long long n)
{
    const char *type = doubles ? "f64" : "f32";
    std::vector<float> us[PROGRAMS];
    int wrong = 0;

    if (doubles)
        make_data<double>(n);
    else
        make_data<float>(n);
    for (int r = -2; r < REPETITIONS; r++)
        for (int k = 0; k < PROGRAMS; k++) {
            const int p = (k + r + 2) % PROGRAMS;
            if (!takes_part(&programs[p], doubles))
                continue;
            const float time = run_timed(&programs[p], doubles, n);
            if (r >= 0)
                us[p].push_back(time);
        }
    for (int p = 0; p < PROGRAMS; p++) {
        int differ = 0;
        if (!takes_part(&programs[p], doubles))
            continue;
        std::sort(us[p].begin(), us[p].end());
        const float median = us[p][REPETITIONS / 2];
        counts c = { 0, 0, 0 };
        if (!programs[p].copies)
            c = run_again(&programs[p], doubles, n, &differ);
        if (c.wrong) {
            printf("WRONG: %s, %s, n = %lld\n", programs[p].what, type, n);
            wrong++;
            continue;
        }
        fprintf(csv, "%s,%s,%lld,%.2f,%.2f,%.2f,%.1f,%d,%d,%llu,%llu\n", programs[p].what, type, n,
                median, us[p].front(), us[p].back(), 2e-3 * n * (doubles ? 8 : 4) / median,
                programs[p].copies ? 0 : RUNS - 1, differ, c.elements, c.ulps);
    }
    fflush(csv);
    printf("%s, n = %lld: done\n", type, n);
    fflush(stdout);
    return wrong;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* newer.so lies in the modules' folder beside the program. Returns its release, or 0. */
static int open_newer(void)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);

    if (length < 0)
        return 0;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, "modules/newer.so");
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        return 0;
    run_newer = (decltype(run_newer))dlsym(module, "newer_scan");
    const auto version = (decltype(&newer_version))dlsym(module, "newer_version");
    return run_newer && version ? version() : 0;
}

static void take_memory(int most)
{
    const size_t n = (size_t)1 << most;
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull;

    ok(cudaMalloc(&m.d_in, 8 * n), "memory");
    ok(cudaMalloc(&m.d_out, 8 * n), "memory");
    ok(cudaMalloc(&m.d_first, 8 * n), "memory");
    ok(cudaMalloc(&m.d_exact, 8 * n), "memory");
    ok(cudaMalloc(&m.d_depth, 4 * n), "memory");
    m.temp_bytes = (size_t)64 << 20;
    m.flush_bytes = (size_t)256 << 20;
    ok(cudaMalloc(&m.d_temp, m.temp_bytes), "memory");
    ok(cudaMalloc(&m.d_flush, m.flush_bytes), "memory");
    ok(cudaMalloc(&m.d_counts, sizeof(counts)), "memory");
    ok(cudaEventCreate(&m.begin), "event");
    ok(cudaEventCreate(&m.end), "event");
    ok(cudaDeviceGetDefaultMemPool(&pool, 0), "pool");
    ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "pool");
}

int main(int count, char **arguments)
{
    const int most = count > 3 ? atoi(arguments[3]) : MOST_LOG, newer = open_newer();
    gpu_facts facts;
    base_error error;
    FILE *csv;
    int wrong = 0;

    if (count < 2 || count > 4 || most < LEAST_LOG || most > MOST_LOG) {
        fprintf(stderr, "usage: gpu_repeat CSV [COMMIT [MOST]]; MOST is 10 to 28\n");
        return 2;
    }
    if (!gpu_facts_get(&facts, &error)) {
        fprintf(stderr, "gpu_repeat: %s\n", error.text);
        return 3;
    }
    if (!(csv = fopen(arguments[1], "w"))) {
        fprintf(stderr, "gpu_repeat: %s cannot be written\n", arguments[1]);
        return 3;
    }
    gpu_facts_write(csv, &facts, count > 2 ? arguments[2] : NULL);
    fprintf(csv, "# cache: cold\n# cub: %d\n", CUB_VERSION);
    if (newer)
        fprintf(csv, "# cub_newer: %d\n", newer);
    fprintf(csv, "what,type,n,us,us_min,us_max,GBps,runs,differ,elements,ulps\n");
    take_memory(most);
    for (int doubles = 0; doubles < 2; doubles++)
        for (int log : sizes)
            if (log <= most)
                wrong += run_size(csv, doubles, 1ll << log);
    return fclose(csv) != 0 ? 3 : wrong > 0;
}
