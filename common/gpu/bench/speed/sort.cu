/*
 * sort.cu: the bonus of lab 18 beside CUB's radix sort, on keys of four kinds: alone, and with
 * values that say where they came from, so that a pair out of order shows.
 */
#include <cub/cub.cuh>

#include "../../../../labs/18_radix_sort_speed/radix_sort_speed.h"
#include "speed.h"

static const int sizes[] = { 16, 20, 24, 25, 26, MOST_LOG };

enum keys { UNIFORM, ALL_EQUAL, SORTED, LOW_ENTROPY, KINDS };
static const char *const names[] = { "uniform", "all equal", "sorted", "and of four" };

static __global__ void make_keys(unsigned *d_key, unsigned *d_value, long long n, int kind)
{
    EACH(i, n)
    {
        const unsigned long long four = 4ull * (unsigned long long)i;
        d_key[i] = kind == UNIFORM     ? hash(i)
                   : kind == ALL_EQUAL ? 0x12345678u
                   : kind == SORTED    ? (unsigned)(((unsigned long long)i << 32) / n)
                                    : hash(four) & hash(four + 1) & hash(four + 2) & hash(four + 3);
        d_value[i] = (unsigned)i;
    }
}

static void time_keys(const memory &m, long long n, int kind)
{
    unsigned *d_in = (unsigned *)m.word[0], *d_out = (unsigned *)m.word[1],
             *d_cub = (unsigned *)m.word[2];
    samples mine, cubs, copy;
    bool wrong = false;
    size_t temp = m.temp_bytes;

    make_keys<<<BLOCKS, THREADS>>>(d_in, (unsigned *)m.word[3], n, kind);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_out, d_in, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine, [&] { radix_sort_speed_keys(d_in, d_out, (int)n); });
        sample(m, first ? NULL : &cubs, [&] {
            ok(cub::DeviceRadixSort::SortKeys(m.d_temp, temp, d_in, d_cub, (int)n), "CUB");
        });
        wrong = wrong || (first && differences(m, d_out, d_cub, n));
    });
    put_beside(std::string("sort of keys: ") + names[kind], "cub", n, 36.0 * (double)n, mine, cubs,
               copy, wrong);
}

static void time_pairs(const memory &m, long long n, int kind)
{
    unsigned *d_in = (unsigned *)m.word[0], *d_values = (unsigned *)m.word[1],
             *d_out = (unsigned *)m.word[2], *d_values_out = (unsigned *)m.word[3],
             *d_cub = (unsigned *)m.word[4], *d_values_cub = (unsigned *)m.word[5];
    samples mine, cubs, copy;
    bool wrong = false;
    size_t temp = m.temp_bytes;

    make_keys<<<BLOCKS, THREADS>>>(d_in, d_values, n, kind);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy,
               [&] { cudaMemcpyAsync(d_out, d_in, n * 4, cudaMemcpyDeviceToDevice); });
        sample(m, first ? NULL : &mine,
               [&] { radix_sort_speed_pairs(d_in, d_values, d_out, d_values_out, (int)n); });
        sample(m, first ? NULL : &cubs, [&] {
            ok(cub::DeviceRadixSort::SortPairs(m.d_temp, temp, d_in, d_cub, d_values, d_values_cub,
                                               (int)n),
               "CUB");
        });
        wrong = wrong || (first && (differences(m, d_out, d_cub, n) ||
                                    differences(m, d_values_out, d_values_cub, n)));
    });
    put_beside(std::string("sort of pairs: ") + names[kind], "cub", n, 68.0 * (double)n, mine, cubs,
               copy, wrong);
}

void time_sort(const memory &m)
{
    for (int log : sizes)
        for (int kind = 0; kind < KINDS; kind++) {
            time_keys(m, 1ll << log, kind);
            time_pairs(m, 1ll << log, kind);
        }
}
