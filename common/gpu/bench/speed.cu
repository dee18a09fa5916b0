/*
 * speed.cu: gpu_speed, which times the bonus solutions of labs 14 and 15 beside CUB and a copy of
 * device memory, in turn, on data of which the kept share, the runs and the segments are given; and
 * compares every output with CUB's first, word by word. C++: CUB is made of templates.
 *
 *     gpu_speed CSV [COMMIT]     a line for each problem, who, and n: median, least and most us
 *
 * Samples begin with a cold cache: a fill of four times the L2 lies before each. Floats are -1, 0
 * and 1, so that sums are the same in any order. Exit status: 1 an answer is wrong, 3 CUDA failed.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cub/cub.cuh>

#include "../../../labs/14_compaction_speed/compaction_speed.h"
#include "../../../labs/15_segmented_scan_speed/segmented_scan_speed.h"
#include "../../../labs/15_segmented_scan_sums/segmented_scan_sums.h"
#define _Noreturn [[noreturn]] /* C, in error.h */
extern "C" {
#include "facts.h"
}

enum { REPETITIONS = 11, SLOW_REPETITIONS = 3, MOST_LOG = 28, BLOCKS = 2048, THREADS = 256 };

static const int sizes[] = { 16, 18, 20, 22, 24, 25, 26, MOST_LOG };

static void ok(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "gpu_speed: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

/* ---- data ------------------------------------------------------------------------------------ */

__host__ __device__ static unsigned hash(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return (unsigned)(x >> 32);
}

#define EACH(i, n)                                                                                 \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;                    \
         i += (long long)gridDim.x * blockDim.x)

struct is_kept {
    __host__ __device__ bool operator()(const int &x) const { return x >= 0; }
};

static __global__ void make_elements(int *d, long long n, int percent)
{
    EACH(i, n)
    d[i] = hash(i + (1ull << 40)) % 100 < (unsigned)percent ? (int)(hash(i) >> 1)
                                                            : (int)(hash(i) | 0x80000000u);
}

/* mean 0: none; 1: all; random: one in `mean`, else every one of that number. */
static __global__ void make_heads(int *d, long long n, int mean, bool random)
{
    EACH(i, n) d[i] = i > 0 && mean > 0 && (random ? hash(i) % mean : i % mean) == 0;
}

/* Byte flags; byte keys that differ where a flag is set; floats. */
static __global__ void make_flagged(const int *d_head, const int *d_key, unsigned char *d_flag,
                                    unsigned char *d_byte_key, float *d_value, long long n)
{
    EACH(i, n)
    {
        d_flag[i] = (unsigned char)d_head[i];
        d_byte_key[i] = (unsigned char)(d_key[i] & 1);
        d_value[i] = (float)((int)(hash(i + 99) >> 8) % 3 - 1);
    }
}

enum lengths { OF_8, OF_64, OF_500, OF_65536, ONE_GIANT, POWER_LAW, UP_TO_3, LENGTHS };
static const char *const length_names[] = { "8",         "64",        "500",   "65536",
                                            "one giant", "power law", "0 to 3" };

static std::vector<int> make_offsets(lengths kind, long long n)
{
    std::vector<int> offset(1, 0);

    for (unsigned long long s = 1; offset.back() < n; s++) {
        const unsigned random = hash(s * LENGTHS + kind);
        long long length = 8;
        switch (kind) {
        case OF_8: break;
        case OF_64: length = 64; break;
        case OF_500: length = 500; break;
        case OF_65536: length = 65536; break;
        case ONE_GIANT: length = s == 1 ? n - 1023 : 1; break;
        case POWER_LAW: /* Pareto, exponent 1.2, mean 12 */
            length = (long long)(2 * pow((random + 1.0) / 4294967296.0, -1 / 1.2));
            break;
        default: length = random % 4;
        }
        offset.push_back((int)std::min(n, offset.back() + std::min(length, n)));
    }
    return offset;
}

/* ---- time and answers ------------------------------------------------------------------------ */

static __global__ void count_differences(const unsigned *d_a, const unsigned *d_b, long long n,
                                         bool floats, unsigned long long *d_wrong)
{
    EACH(i, n)
    if (floats ? !(__uint_as_float(d_a[i]) == __uint_as_float(d_b[i])) : d_a[i] != d_b[i])
        atomicAdd(d_wrong, 1ull);
}

/* Arrays of 2^MOST_LOG words, and what CUB needs. */
struct memory {
    int *word[6];
    unsigned char *byte[2];
    long long *d_count;
    int *d_cub_count;
    unsigned long long *d_wrong;
    void *d_flush, *d_temp;
    size_t flush_bytes, temp_bytes;
    cudaEvent_t begin, end;
};

struct samples {
    std::vector<float> us;
};

static FILE *csv;
static long long wrong_lines;

template <typename F> static void sample(const memory &m, samples *into, F run)
{
    float ms;

    ok(cudaMemsetAsync(m.d_flush, 1, m.flush_bytes), "flush");
    ok(cudaEventRecord(m.begin), "event");
    run();
    ok(cudaEventRecord(m.end), "event");
    ok(cudaEventSynchronize(m.end), "run");
    ok(cudaGetLastError(), "launch");
    ok(cudaEventElapsedTime(&ms, m.begin, m.end), "time");
    if (into)
        into->us.push_back(1000 * ms);
}

static unsigned long long differences(const memory &m, const void *d_a, const void *d_b,
                                      long long n, bool floats = false)
{
    unsigned long long wrong;

    ok(cudaMemset(m.d_wrong, 0, sizeof wrong), "clear");
    count_differences<<<BLOCKS, THREADS>>>((const unsigned *)d_a, (const unsigned *)d_b, n, floats,
                                           m.d_wrong);
    ok(cudaMemcpy(&wrong, m.d_wrong, sizeof wrong, cudaMemcpyDeviceToHost), "differences");
    return wrong;
}

/* The two counts; differs: they do. */
static long long count_of(const memory &m, bool *differs)
{
    long long mine;
    int cubs;

    ok(cudaMemcpy(&mine, m.d_count, sizeof mine, cudaMemcpyDeviceToHost), "count");
    ok(cudaMemcpy(&cubs, m.d_cub_count, sizeof cubs, cudaMemcpyDeviceToHost), "count");
    *differs = mine != cubs;
    return mine;
}

static void put(const std::string &what, const char *who, long long n, samples s, double bytes)
{
    std::sort(s.us.begin(), s.us.end());
    fprintf(csv, "%s,%s,%lld,%.2f,%.2f,%.2f,%.1f\n", what.c_str(), who, n, s.us[s.us.size() / 2],
            s.us.front(), s.us.back(), bytes / s.us[s.us.size() / 2] / 1000);
}

/* bytes: that must move; copy: of 4n bytes, to as many. */
static void tell(const std::string &what, long long n, double bytes, const samples &mine,
                 const samples &cubs, const samples &copy, bool wrong)
{
    if (wrong) {
        printf("%s, n = %lld: WRONG\n", what.c_str(), n);
        wrong_lines++;
        return;
    }
    put(what, "speed", n, mine, bytes);
    put(what, "cub", n, cubs, bytes);
    put(what, "copy", n, copy, 8.0 * (double)n);
}

/* Called `rounds` times and once before; in that first round answers are compared. */
template <typename F> static void in_turn(int rounds, F round)
{
    for (int r = -1; r < rounds; r++)
        round(r < 0);
}

/* ---- problems -------------------------------------------------------------------------------- */

static void time_select(const memory &m, long long n, int percent)
{
    int *d_in = m.word[0], *d_out = m.word[1], *d_cub = m.word[2], *d_rest = m.word[3],
        *d_both = m.word[4];
    samples mine, cubs, copy, in_place, cubs_in_place, parted, cubs_parted;
    bool wrong = false, differs;
    long long kept = 0;
    const auto restore = [&] { cudaMemcpyAsync(d_both, d_in, n * 4, cudaMemcpyDeviceToDevice); };
    size_t temp = m.temp_bytes;

    make_elements<<<BLOCKS, THREADS>>>(d_in, n, percent);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_out, d_in, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine,
               [&] { compaction_speed_select(d_in, d_out, m.d_count, n); });
        sample(m, first ? NULL : &cubs, [&] {
            cub::DeviceSelect::If(m.d_temp, temp, d_in, d_cub, m.d_cub_count, (int)n, is_kept());
        });
        if (first) {
            kept = count_of(m, &differs);
            wrong = differs || differences(m, d_out, d_cub, kept);
        }
        restore();
        sample(m, first ? NULL : &in_place,
               [&] { compaction_speed_in_place(d_both, d_both, m.d_count, n); });
        if (first) {
            wrong = wrong || count_of(m, &differs) != kept || differences(m, d_both, d_cub, kept) ||
                    differences(m, d_both + kept, d_in + kept, n - kept);
        }
        restore();
        sample(m, first ? NULL : &cubs_in_place, [&] {
            cub::DeviceSelect::If(m.d_temp, temp, d_both, m.d_cub_count, (int)n, is_kept());
        });
        sample(m, first ? NULL : &parted,
               [&] { compaction_speed_partition(d_in, d_out, d_rest, m.d_count, n); });
        sample(m, first ? NULL : &cubs_parted, [&] {
            cub::DevicePartition::If(m.d_temp, temp, d_in, d_both, m.d_cub_count, (int)n,
                                     is_kept());
        });
        if (first) {
            count_of(m, &differs);
            std::vector<int> rest(n - kept), reversed(n - kept);
            ok(cudaMemcpy(rest.data(), d_rest, rest.size() * 4, cudaMemcpyDeviceToHost), "rest");
            ok(cudaMemcpy(reversed.data(), d_both + kept, rest.size() * 4, cudaMemcpyDeviceToHost),
               "rest");
            std::reverse(reversed.begin(), reversed.end()); /* as CUB leaves it */
            wrong = wrong || differs || differences(m, d_out, d_both, kept) || rest != reversed;
        }
    });
    const std::string share = std::to_string(percent) + " % kept";
    const double bytes = 4.0 * (double)(n + kept);
    tell("select " + share, n, bytes, mine, cubs, copy, wrong);
    tell("select in place " + share, n, bytes, in_place, cubs_in_place, copy, wrong);
    tell("partition " + share, n, 8.0 * (double)n, parted, cubs_parted, copy, wrong);
}

/* Keys that count the heads before them. */
static void make_keys(const memory &m, int *d_head, int *d_key, long long n, int mean, bool random)
{
    size_t temp = m.temp_bytes;

    make_heads<<<BLOCKS, THREADS>>>(d_head, n, mean, random);
    ok(cub::DeviceScan::InclusiveSum(m.d_temp, temp, d_head, d_key, (int)n), "keys");
}

static void time_runs(const memory &m, long long n, int mean)
{
    int *d_key = m.word[0], *d_unique = m.word[1], *d_length = m.word[2], *d_cub = m.word[3],
        *d_cub_length = m.word[4];
    samples mine, cubs, copy;
    bool wrong = false, differs;
    long long runs = 0;
    size_t temp = m.temp_bytes;

    make_keys(m, d_unique, d_key, n, mean, true);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_unique, d_key, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine,
               [&] { compaction_speed_runs(d_key, d_unique, d_length, m.d_count, n); });
        sample(m, first ? NULL : &cubs, [&] {
            cub::DeviceRunLengthEncode::Encode(m.d_temp, temp, d_key, d_cub, d_cub_length,
                                               m.d_cub_count, (int)n);
        });
        if (first) {
            runs = count_of(m, &differs);
            wrong = differs || differences(m, d_unique, d_cub, runs) ||
                    differences(m, d_length, d_cub_length, runs);
        }
    });
    tell("runs of " + std::to_string(mean), n, 4.0 * (double)n + 8.0 * (double)runs, mine, cubs,
         copy, wrong);
}

static void time_scan(const memory &m, long long n, const char *name, int mean, bool random)
{
    float *d_in = (float *)m.word[0], *d_out = (float *)m.word[1], *d_cub = (float *)m.word[2];
    samples mine, cubs, copy;
    bool wrong = false;
    size_t temp = m.temp_bytes;

    make_keys(m, m.word[1], m.word[2], n, mean, random);
    make_flagged<<<BLOCKS, THREADS>>>(m.word[1], m.word[2], m.byte[0], m.byte[1], d_in, n);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_out, d_in, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine, [&] { segmented_speed(d_in, m.byte[0], d_out, n); });
        sample(m, first ? NULL : &cubs, [&] {
            cub::DeviceScan::InclusiveSumByKey(m.d_temp, temp, m.byte[1], d_in, d_cub, (int)n);
        });
        wrong = wrong || (first && differences(m, d_out, d_cub, n, true));
    });
    tell(std::string("segmented scan: ") + name, n, 9.0 * (double)n, mine, cubs, copy, wrong);
}

static void time_sums(const memory &m, long long n, lengths kind)
{
    float *d_in = (float *)m.word[0], *d_sum = (float *)m.word[1], *d_cub = (float *)m.word[2];
    int *d_offset = m.word[3];
    const std::vector<int> offset = make_offsets(kind, n);
    const long long segments = (long long)offset.size() - 1;
    samples mine, cubs, copy;
    bool wrong = false;
    size_t temp = m.temp_bytes;
    int round = 0;

    make_heads<<<BLOCKS, THREADS>>>(m.word[1], n, 2, true);
    make_flagged<<<BLOCKS, THREADS>>>(m.word[1], m.word[1], m.byte[0], m.byte[1], d_in, n);
    ok(cudaMemcpy(d_offset, offset.data(), offset.size() * 4, cudaMemcpyHostToDevice), "offsets");
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(m.word[4], d_in, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine,
               [&] { segmented_sums_of(d_in, d_offset, d_sum, n, segments); });
        if (round++ <= SLOW_REPETITIONS) /* it takes up to 170 ms */
            sample(m, first ? NULL : &cubs, [&] {
                cub::DeviceSegmentedReduce::Sum(m.d_temp, temp, d_in, d_cub, (int)segments,
                                                d_offset, d_offset + 1);
            });
        wrong = wrong || (first && differences(m, d_sum, d_cub, segments, true));
    });
    tell(std::string("sums of segments: ") + length_names[kind], n,
         4.0 * (double)n + 8.0 * (double)segments, mine, cubs, copy, wrong);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void take_memory(memory *m)
{
    const int n = 1 << MOST_LOG;
    size_t need = 0;

    for (int **d = m->word; d < m->word + 6; d++)
        ok(cudaMalloc(d, 4 * (size_t)n), "memory");
    for (unsigned char **d = m->byte; d < m->byte + 2; d++)
        ok(cudaMalloc(d, (size_t)n), "memory");
    int *const *w = m->word;
    m->temp_bytes = 0;
    const auto grow = [&] { m->temp_bytes = std::max(m->temp_bytes, need); };
    cub::DeviceSelect::If(NULL, need, w[0], w[1], w[2], n, is_kept()), grow();
    cub::DeviceSelect::If(NULL, need, w[0], w[2], n, is_kept()), grow();
    cub::DevicePartition::If(NULL, need, w[0], w[1], w[2], n, is_kept()), grow();
    cub::DeviceRunLengthEncode::Encode(NULL, need, w[0], w[1], w[2], w[3], n), grow();
    cub::DeviceScan::InclusiveSum(NULL, need, w[0], w[1], n), grow();
    cub::DeviceScan::InclusiveSumByKey(NULL, need, m->byte[0], (float *)w[0], (float *)w[1], n),
        grow();
    cub::DeviceSegmentedReduce::Sum(NULL, need, (float *)w[0], (float *)w[1], n, w[2], w[2] + 1),
        grow();
    m->flush_bytes = (size_t)256 << 20;
    ok(cudaMalloc(&m->d_temp, m->temp_bytes), "memory");
    ok(cudaMalloc(&m->d_flush, m->flush_bytes), "memory");
    ok(cudaMalloc(&m->d_count, sizeof *m->d_count), "memory");
    ok(cudaMalloc(&m->d_cub_count, sizeof *m->d_cub_count), "memory");
    ok(cudaMalloc(&m->d_wrong, sizeof *m->d_wrong), "memory");
    ok(cudaEventCreate(&m->begin), "event");
    ok(cudaEventCreate(&m->end), "event");
}

int main(int count, char **arguments)
{
    gpu_facts facts;
    base_error error;
    memory m;

    if (count < 2 || count > 3) {
        fprintf(stderr, "usage: gpu_speed CSV [COMMIT]\n");
        return 2;
    }
    if (!gpu_facts_get(&facts, &error)) {
        fprintf(stderr, "gpu_speed: %s\n", error.text);
        return 3;
    }
    if (!(csv = fopen(arguments[1], "w"))) {
        fprintf(stderr, "gpu_speed: %s cannot be written\n", arguments[1]);
        return 3;
    }
    gpu_facts_write(csv, &facts, count > 2 ? arguments[2] : NULL);
    fprintf(csv, "# cache: cold\n# copy: cudaMemcpy of 4n bytes, in the same run\n"
                 "what,who,n,us_median,us_min,us_max,GBps\n");
    take_memory(&m);
    for (int log : sizes) {
        const long long n = 1ll << log;
        for (int percent = 0; percent <= 100; percent += 50)
            time_select(m, n, percent);
        for (int mean : { 500, 6, 1 })
            time_runs(m, n, mean);
        time_scan(m, n, "heads every 500", 500, false);
        time_scan(m, n, "random heads one in 500", 500, true);
        time_scan(m, n, "random heads one in 3", 3, true);
        time_scan(m, n, "no heads", 0, false);
        for (int kind = 0; kind < LENGTHS; kind++)
            time_sums(m, n, (lengths)kind);
        printf("2^%d: done\n", log);
        fflush(stdout);
    }
    return fclose(csv) != 0 ? 3 : wrong_lines > 0;
}
