/*
 * segments.cu: the bonuses of lab 16 beside CUB's scan by key and its segmented sum, on heads and
 * segments that are given. Floats are -1, 0 and 1, so that sums are the same in any order.
 */
#include <algorithm>
#include <cmath>

#include <cub/cub.cuh>

#include "../../../../labs/16_segmented_scan_speed/segmented_scan_speed.h"
#include "../../../../labs/16_segmented_scan_sums/segmented_scan_sums.h"
#include "speed.h"

enum { SLOW_REPETITIONS = 3 };

static const int sizes[] = { 16, 18, 20, 22, 24, 25, 26, MOST_LOG };

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

/* Keys that count the heads before them. */
static void make_keys(const memory &m, int *d_head, int *d_key, long long n, int mean, bool random)
{
    size_t temp = m.temp_bytes;

    make_heads<<<BLOCKS, THREADS>>>(d_head, n, mean, random);
    ok(cub::DeviceScan::InclusiveSum(m.d_temp, temp, d_head, d_key, (int)n), "keys");
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
            ok(cub::DeviceScan::InclusiveSumByKey(m.d_temp, temp, m.byte[1], d_in, d_cub, (int)n),
               "CUB");
        });
        wrong = wrong || (first && differences(m, d_out, d_cub, n, true));
    });
    put_beside(std::string("segmented scan: ") + name, "cub", n, 9.0 * (double)n, mine, cubs, copy,
               wrong);
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
                ok(cub::DeviceSegmentedReduce::Sum(m.d_temp, temp, d_in, d_cub, (int)segments,
                                                   d_offset, d_offset + 1),
                   "CUB");
            });
        wrong = wrong || (first && differences(m, d_sum, d_cub, segments, true));
    });
    put_beside(std::string("sums of segments: ") + length_names[kind], "cub", n,
               4.0 * (double)n + 8.0 * (double)segments, mine, cubs, copy, wrong);
}

void time_segments(const memory &m)
{
    for (int log : sizes) {
        const long long n = 1ll << log;
        time_scan(m, n, "heads every 500", 500, false);
        time_scan(m, n, "random heads one in 500", 500, true);
        time_scan(m, n, "random heads one in 3", 3, true);
        time_scan(m, n, "no heads", 0, false);
        for (int kind = 0; kind < LENGTHS; kind++)
            time_sums(m, n, (lengths)kind);
    }
}
