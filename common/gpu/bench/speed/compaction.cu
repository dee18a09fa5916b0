/*
 * compaction.cu: the bonuses of labs 14 and 15 beside CUB's selections, partition, run lengths and
 * sums by key, on data of which the kept share and the mean run are given.
 */
#include <algorithm>

#include <cub/cub.cuh>

#include "../../../../labs/14_compaction_speed/compaction_speed.h"
#include "../../../../labs/15_runs_speed/runs_speed.h"
#include "speed.h"

static const int sizes[] = { 16, 18, 20, 22, 24, 25, 26, MOST_LOG };

struct is_kept {
    __host__ __device__ bool operator()(const int &x) const { return x >= 0; }
};

static __global__ void make_elements(int *d, long long n, int percent)
{
    EACH(i, n)
    d[i] = hash(i + (1ull << 40)) % 100 < (unsigned)percent ? (int)(hash(i) >> 1)
                                                            : (int)(hash(i) | 0x80000000u);
}

/* Keys that count the heads before them, each with one chance in `mean` to be one. */
static __global__ void make_random_heads(int *d, long long n, int mean)
{
    EACH(i, n) d[i] = i > 0 && hash(i) % mean == 0;
}

/* The two counts; differs: they do. */
static long long count_of(const memory &m, bool *differs)
{
    long long mine;
    int cubs;

    ok(cudaMemcpy(&mine, m.d_count, sizeof mine, cudaMemcpyDeviceToHost), "count");
    ok(cudaMemcpy(&cubs, m.d_peer_count, sizeof cubs, cudaMemcpyDeviceToHost), "count");
    *differs = mine != cubs;
    return mine;
}

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
            ok(cub::DeviceSelect::If(m.d_temp, temp, d_in, d_cub, m.d_peer_count, (int)n,
                                     is_kept()),
               "CUB");
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
            ok(cub::DeviceSelect::If(m.d_temp, temp, d_both, m.d_peer_count, (int)n, is_kept()),
               "CUB");
        });
        sample(m, first ? NULL : &parted,
               [&] { compaction_speed_partition(d_in, d_out, d_rest, m.d_count, n); });
        sample(m, first ? NULL : &cubs_parted, [&] {
            ok(cub::DevicePartition::If(m.d_temp, temp, d_in, d_both, m.d_peer_count, (int)n,
                                        is_kept()),
               "CUB");
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
    put_beside("select " + share, "cub", n, bytes, mine, cubs, copy, wrong);
    put_beside("select in place " + share, "cub", n, bytes, in_place, cubs_in_place, copy, wrong);
    put_beside("partition " + share, "cub", n, 8.0 * (double)n, parted, cubs_parted, copy, wrong);
}

static void time_runs(const memory &m, long long n, int mean)
{
    int *d_key = m.word[0], *d_unique = m.word[1], *d_length = m.word[2], *d_cub = m.word[3],
        *d_cub_length = m.word[4];
    samples mine, cubs, copy;
    bool wrong = false, differs;
    long long runs = 0;
    size_t temp = m.temp_bytes;

    make_random_heads<<<BLOCKS, THREADS>>>(d_unique, n, mean);
    ok(cub::DeviceScan::InclusiveSum(m.d_temp, temp, d_unique, d_key, (int)n), "keys");
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_unique, d_key, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine,
               [&] { runs_speed_lengths(d_key, d_unique, d_length, m.d_count, n); });
        sample(m, first ? NULL : &cubs, [&] {
            ok(cub::DeviceRunLengthEncode::Encode(m.d_temp, temp, d_key, d_cub, d_cub_length,
                                                  m.d_peer_count, (int)n),
               "CUB");
        });
        if (first) {
            runs = count_of(m, &differs);
            wrong = differs || differences(m, d_unique, d_cub, runs) ||
                    differences(m, d_length, d_cub_length, runs);
        }
    });
    put_beside("runs of " + std::to_string(mean), "cub", n, 4.0 * (double)n + 8.0 * (double)runs,
               mine, cubs, copy, wrong);
}

static void time_by_key(const memory &m, long long n, int mean)
{
    int *d_key = m.word[0], *d_value = m.word[1], *d_unique = m.word[2], *d_sum = m.word[3],
        *d_cub = m.word[4], *d_cub_sum = m.word[5];
    samples mine, cubs, copy;
    bool wrong = false, differs;
    long long runs = 0;
    size_t temp = m.temp_bytes;

    make_random_heads<<<BLOCKS, THREADS>>>(d_unique, n, mean);
    ok(cub::DeviceScan::InclusiveSum(m.d_temp, temp, d_unique, d_key, (int)n), "keys");
    make_elements<<<BLOCKS, THREADS>>>(d_value, n, 50);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_unique, d_key, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine,
               [&] { runs_speed_sums(d_key, d_value, d_unique, d_sum, m.d_count, n); });
        sample(m, first ? NULL : &cubs, [&] {
            ok(cub::DeviceReduce::ReduceByKey(m.d_temp, temp, d_key, d_cub, d_value, d_cub_sum,
                                              m.d_peer_count, cuda::std::plus<>(), (int)n),
               "CUB");
        });
        if (first) {
            runs = count_of(m, &differs);
            wrong = differs || differences(m, d_unique, d_cub, runs) ||
                    differences(m, d_sum, d_cub_sum, runs);
        }
    });
    put_beside("sums by key: runs of " + std::to_string(mean), "cub", n,
               8.0 * (double)n + 8.0 * (double)runs, mine, cubs, copy, wrong);
}

void time_compaction(const memory &m)
{
    for (int log : sizes) {
        for (int percent = 0; percent <= 100; percent += 50)
            time_select(m, 1ll << log, percent);
        for (int mean : { 500, 6, 1 })
            time_runs(m, 1ll << log, mean);
        for (int mean : { 500, 6, 1 })
            time_by_key(m, 1ll << log, mean);
    }
}
