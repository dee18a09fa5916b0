/*
 * picture.cu: the bonuses of labs 22 and 23: histograms beside CUB's on three kinds of data,
 * summed-area tables beside NPP's, both beside a copy that moves the same bytes: half of them read,
 * half written.
 *
 * NPP is loaded where it is found when the program runs: it comes with the toolkit, and may be
 * missing. Its table has a row and a column of zeros more, in front.
 */
#include <algorithm>

#include <dlfcn.h>

#include <cub/cub.cuh>

#include "../../../../labs/22_histogram_speed/histogram_speed.h"
#include "../../../../labs/23_summed_area_table_speed/summed_area_table_speed.h"
#include "speed.h"

enum { BINS = HISTOGRAM_BINS };

/* ---- histograms ------------------------------------------------------------------------------ */

enum pixels { UNIFORM, ALL_EQUAL, SKEWED, KINDS };
static const char *const pixel_names[] = { "uniform", "all equal", "skewed" };

/* CUB counts [0, 2^32 - 1): the last number does not occur. */
static __global__ void make_pixels(unsigned *d, long long n, pixels kind)
{
    EACH(i, n)
    {
        unsigned pixel = hash(i);
        if (kind == SKEWED)
            pixel &= hash(i + (1ull << 40)) & hash(i + (2ull << 40)) & hash(i + (3ull << 40));
        d[i] = kind == ALL_EQUAL ? 0x25252525u : pixel == ~0u ? 0 : pixel;
    }
}

/* Launched with at least BINS threads a block; d_count is 0. */
template <typename T> static __global__ void count_simply(const T *d_in, unsigned *d_count, int n)
{
    __shared__ unsigned s_count[BINS];

    if (threadIdx.x < BINS)
        s_count[threadIdx.x] = 0;
    __syncthreads();
    EACH(i, n) atomicAdd(&s_count[sizeof(T) == 1 ? (unsigned)d_in[i] : (unsigned)d_in[i] >> 24], 1);
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&d_count[threadIdx.x], s_count[threadIdx.x]);
}

static void count_speed(const unsigned char *d_in, unsigned *d_count, int n)
{
    histogram_speed_u8(d_in, d_count, n);
}
static void count_speed(const unsigned *d_in, unsigned *d_count, int n)
{
    histogram_speed_u32(d_in, d_count, n);
}

static cudaError_t count_cub(const memory &m, const unsigned char *d_in, unsigned *d_count, int n)
{
    size_t temp = m.temp_bytes;

    return cub::DeviceHistogram::HistogramEven(m.d_temp, temp, d_in, d_count, BINS + 1, 0, 256, n);
}
static cudaError_t count_cub(const memory &m, const unsigned *d_in, unsigned *d_count, int n)
{
    size_t temp = m.temp_bytes;

    return cub::DeviceHistogram::HistogramEven(m.d_temp, temp, d_in, d_count, BINS + 1, 0u, ~0u, n);
}

template <typename T> static void time_histogram(const memory &m, int n, pixels kind)
{
    const T *d_in = (const T *)m.word[0];
    unsigned *d_count = (unsigned *)m.word[1], *d_cub = d_count + BINS, *d_simple = d_cub + BINS;
    const size_t bytes = (size_t)n * sizeof(T);
    samples mine, cubs, copy;
    bool wrong = false;

    make_pixels<<<BLOCKS, THREADS>>>((unsigned *)m.word[0], (long long)bytes / 4, kind);
    ok(cudaMemset(d_simple, 0, BINS * sizeof *d_simple), "clear");
    count_simply<<<BLOCKS, THREADS>>>(d_in, d_simple, n);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(m.word[2], d_in, bytes / 2, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine, [&] { count_speed(d_in, d_count, n); });
        sample(m, first ? NULL : &cubs, [&] { ok(count_cub(m, d_in, d_cub, n), "CUB"); });
        wrong = wrong || (first && (differences(m, d_count, d_simple, BINS) ||
                                    differences(m, d_cub, d_simple, BINS)));
    });
    const std::string what = std::string("histogram of ") + (sizeof(T) == 1 ? "bytes" : "words") +
                             ": " + pixel_names[kind];
    if (wrong) {
        put_wrong(what, n);
        return;
    }
    put(what, "speed", n, mine, (double)bytes);
    put(what, "cub", n, cubs, (double)bytes);
    put(what, "copy", n, copy, (double)bytes);
}

/* ---- NPP ------------------------------------------------------------------------------------- */

/* As in npp.h of CUDA 12 and 13. */
struct npp_size {
    int width, height;
};
struct npp_context {
    cudaStream_t stream;
    int device, multiprocessors, threads_of_a_multiprocessor, threads_of_a_block;
    size_t shared_of_a_block;
    int major, minor;
    unsigned stream_flags;
    int reserved;
};
typedef int npp_integral(const unsigned char *d_in, int step, int *d_out, int out_step,
                         npp_size size, int first, npp_context context);

/* NULL: it is not there. */
static npp_integral *find_npp(void)
{
    static const char *const names[] = { "libnppist.so.13", "libnppist.so.12", "libnppist.so",
                                         "/usr/local/cuda/lib64/libnppist.so.13",
                                         "/usr/local/cuda/lib64/libnppist.so" };

    for (const char *name : names)
        if (void *library = dlopen(name, RTLD_NOW))
            return (npp_integral *)dlsym(library, "nppiIntegral_8u32s_C1R_Ctx");
    return NULL;
}

static npp_context context_of_npp(void)
{
    npp_context c = {};
    cudaDeviceProp p;

    ok(cudaGetDevice(&c.device), "device");
    ok(cudaGetDeviceProperties(&p, c.device), "device");
    c.multiprocessors = p.multiProcessorCount;
    c.threads_of_a_multiprocessor = p.maxThreadsPerMultiProcessor;
    c.threads_of_a_block = p.maxThreadsPerBlock;
    c.shared_of_a_block = p.sharedMemPerBlock;
    c.major = p.major;
    c.minor = p.minor;
    return c;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A thread a row; then, once all are done, a thread a column. */
template <typename T> static __global__ void sum_rows(const T *d_in, unsigned *d_table, int side)
{
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

    for (int x = 0; y < side && x < side; x++)
        d_table[(size_t)y * side + x] = sum += (unsigned)d_in[(size_t)y * side + x];
}
static __global__ void sum_columns(unsigned *d_table, int side)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

    for (int y = 0; x < side && y < side; y++)
        d_table[(size_t)y * side + x] = sum += d_table[(size_t)y * side + x];
}

/* A table with a row and a column of zeros, without them. */
static __global__ void take_inner(const unsigned *d_from, unsigned *d_to, int side)
{
    EACH(i, (long long)side * side) d_to[i] = d_from[(i / side + 1) * (side + 1) + i % side + 1];
}

static void sum_speed(const unsigned char *d_in, unsigned *d_table, int n)
{
    sat_speed_u8(d_in, d_table, n);
}
static void sum_speed(const int *d_in, unsigned *d_table, int n)
{
    sat_speed_s32(d_in, (int *)d_table, n);
}

static void sum_npp(npp_integral *npp, npp_context context, const unsigned char *d_in, int *d_out,
                    int side)
{
    const int row = (side + 1) * 4;

    if (npp(d_in, side, d_out, row, npp_size{ side, side }, 0, context) != 0)
        ok(cudaErrorUnknown, "NPP");
}
static void sum_npp(npp_integral *, npp_context, const int *, int *, int) {} /* has none */

/* npp: NULL: there is none. */
template <typename T> static void time_table(const memory &m, int side, npp_integral *npp)
{
    const T *d_in = (const T *)m.word[0];
    unsigned *d_table = (unsigned *)m.word[1], *d_simple = (unsigned *)m.word[2],
             *d_inner = (unsigned *)m.word[3];
    const int n = side * side, blocks = (side - 1) / THREADS + 1;
    const size_t bytes = (size_t)n * (sizeof(T) + 4);
    const npp_context context = context_of_npp();
    samples mine, npps, copy;
    bool wrong = false;

    make_pixels<<<BLOCKS, THREADS>>>((unsigned *)m.word[0], (long long)n * sizeof(T) / 4, UNIFORM);
    sum_rows<<<blocks, THREADS>>>(d_in, d_simple, side);
    sum_columns<<<blocks, THREADS>>>(d_simple, side);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(m.word[4], m.word[5], bytes / 2, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine, [&] { sum_speed(d_in, d_table, n); });
        wrong = wrong || (first && differences(m, d_table, d_simple, n));
        if (npp) {
            sample(m, first ? NULL : &npps,
                   [&] { sum_npp(npp, context, d_in, (int *)m.d_temp, side); });
            if (first) {
                take_inner<<<BLOCKS, THREADS>>>((const unsigned *)m.d_temp, d_inner, side);
                wrong = wrong || differences(m, d_inner, d_simple, n);
            }
        }
    });
    const std::string what =
        std::string("summed-area table of ") + (sizeof(T) == 1 ? "bytes" : "words");
    if (wrong) {
        put_wrong(what, n);
        return;
    }
    put(what, "speed", n, mine, (double)bytes);
    if (npp)
        put(what, "npp", n, npps, (double)bytes);
    put(what, "copy", n, copy, (double)bytes);
}

void time_picture(const memory &m)
{
    npp_integral *npp = find_npp();

    if (!npp)
        printf("picture: there is no libnppist here: tables stand beside a copy alone\n");
    for (int log : { 20, 24, (int)MOST_LOG })
        for (int kind = 0; kind < KINDS; kind++) {
            time_histogram<unsigned char>(m, 1 << log, (pixels)kind);
            time_histogram<unsigned>(m, 1 << log, (pixels)kind);
        }
    for (int side : { 1024, 4096, 16384 }) {
        time_table<unsigned char>(m, side, npp);
        time_table<int>(m, side, NULL);
    }
}
