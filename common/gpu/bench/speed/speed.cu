/*
 * speed.cu: gpu_speed, which times the bonus solutions of labs 14 and up beside the libraries that
 * people use and a copy of device memory, in turn, on given data, and compares every output first.
 * C++: CUB is made of templates.
 *
 *     gpu_speed CSV [COMMIT [ONLY]]    ONLY: the name of one file, as in `sort`
 *
 * A line of the CSV for each problem, who, and n: median, least and most us. Samples begin with a
 * cold cache: a fill of four times the L2 lies before each. Exit status: 1 an answer is wrong, 3
 * CUDA failed.
 */
#include "speed.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#define _Noreturn [[noreturn]] /* C, in error.h */
extern "C" {
#include "facts.h"
}

static const struct {
    const char *name;
    void (*time)(const memory &m);
} files[] = {
    { "compaction", time_compaction },
    { "picture", time_picture },
    { "segments", time_segments },
    { "sort", time_sort },
    { "spmv", time_spmv },
    { "tridiagonal", time_tridiagonal },
};

static FILE *csv;
static long long wrong_lines;

void ok(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "gpu_speed: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

/* ---- answers and rows ------------------------------------------------------------------------ */

static __global__ void count_differences(const unsigned *d_a, const unsigned *d_b, long long n,
                                         bool floats, unsigned long long *d_wrong)
{
    EACH(i, n)
    if (floats ? !(__uint_as_float(d_a[i]) == __uint_as_float(d_b[i])) : d_a[i] != d_b[i])
        atomicAdd(d_wrong, 1ull);
}

unsigned long long differences(const memory &m, const void *d_a, const void *d_b, long long n,
                               bool floats)
{
    unsigned long long wrong;

    ok(cudaMemset(m.d_wrong, 0, sizeof wrong), "clear");
    count_differences<<<BLOCKS, THREADS>>>((const unsigned *)d_a, (const unsigned *)d_b, n, floats,
                                           m.d_wrong);
    ok(cudaMemcpy(&wrong, m.d_wrong, sizeof wrong, cudaMemcpyDeviceToHost), "differences");
    return wrong;
}

void put(const std::string &what, const char *who, long long n, samples s, double bytes)
{
    if (what.find(',') != std::string::npos) {
        fprintf(stderr, "gpu_speed: '%s' has a comma, which ends a column\n", what.c_str());
        exit(3);
    }
    std::sort(s.us.begin(), s.us.end());
    fprintf(csv, "%s,%s,%lld,%.2f,%.2f,%.2f,%.1f\n", what.c_str(), who, n, s.us[s.us.size() / 2],
            s.us.front(), s.us.back(), bytes / s.us[s.us.size() / 2] / 1000);
}

void put_wrong(const std::string &what, long long n)
{
    printf("%s, n = %lld: WRONG\n", what.c_str(), n);
    wrong_lines++;
}

void put_beside(const std::string &what, const char *peer, long long n, double bytes,
                const samples &mine, const samples &peers, const samples &copy, bool wrong)
{
    if (wrong) {
        put_wrong(what, n);
        return;
    }
    put(what, "speed", n, mine, bytes);
    put(what, peer, n, peers, bytes);
    put(what, "copy", n, copy, 8.0 * (double)n);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void take_memory(memory *m)
{
    const size_t n = (size_t)1 << MOST_LOG;

    for (int **d = m->word; d < m->word + WORDS; d++)
        ok(cudaMalloc(d, 4 * n), "memory");
    for (unsigned char **d = m->byte; d < m->byte + 2; d++)
        ok(cudaMalloc(d, n), "memory");
    m->temp_bytes = (size_t)3 << 30; /* CUB's sort of pairs asks for 2 */
    m->flush_bytes = (size_t)256 << 20;
    ok(cudaMalloc(&m->d_temp, m->temp_bytes), "memory");
    ok(cudaMalloc(&m->d_flush, m->flush_bytes), "memory");
    ok(cudaMalloc(&m->d_count, sizeof *m->d_count), "memory");
    ok(cudaMalloc(&m->d_peer_count, sizeof *m->d_peer_count), "memory");
    ok(cudaMalloc(&m->d_wrong, sizeof *m->d_wrong), "memory");
    ok(cudaEventCreate(&m->begin), "event");
    ok(cudaEventCreate(&m->end), "event");
}

int main(int count, char **arguments)
{
    gpu_facts facts;
    base_error error;
    memory m;
    bool any = false;

    if (count < 2 || count > 4) {
        fprintf(stderr, "usage: gpu_speed CSV [COMMIT [ONLY]]\n");
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
    for (const auto &file : files) {
        if (count > 3 && strcmp(arguments[3], file.name) != 0)
            continue;
        any = true;
        file.time(m);
        printf("%s: done\n", file.name);
        fflush(stdout);
        fflush(csv);
    }
    if (!any) {
        fprintf(stderr, "gpu_speed: there is no file '%s'\n", arguments[3]);
        return 2;
    }
    return fclose(csv) != 0 ? 3 : wrong_lines > 0;
}
