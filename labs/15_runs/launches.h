/*
 * launches.h: the kernels of lab 15 and the entries of runs.h, one of each for each type. For
 * inclusion by runs.cu, at its end. join is also tried alone, with numbers for which no array is
 * large enough.
 *
 * DEFINE_RUNS and DEFINE_BY_KEY make them where they stand: in runs.cu, so that reports name its
 * lines.
 *
 * A kernel gives its body an array in shared memory, with room for a tile of the widest type that
 * passes through it.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "keys.h"
#include "pairs.h"
#include "runs.h"

static unsigned tiles_of(long long n) { return (unsigned)((n - 1) / TILE + 1); }

/* ---- run_length_encode ----------------------------------------------------------------------- */

#define DEFINE_RUNS(suffix, key, k)                                                                \
    __global__ void __launch_bounds__(THREADS)                                                     \
        runs_##suffix(const key *d_keys, key *d_unique, int *d_lengths, long long *d_count,        \
                      pair_descriptors d, long long n)                                             \
    {                                                                                              \
        __shared__ key s_item[TILE];                                                               \
        runs_tile(k, I32, d_keys, NULL, d_unique, d_lengths, d_count, d, n, s_item);               \
    }                                                                                              \
    void runs_lengths_##suffix(const key *d_keys, key *d_unique, int *d_lengths,                   \
                               long long *d_count, long long n)                                    \
    {                                                                                              \
        pair_descriptors d;                                                                        \
        if (n <= 0)                                                                                \
            keep_nothing(d_count);                                                                 \
        else if (open_pairs(tiles_of(n), &d))                                                      \
            runs_##suffix<<<tiles_of(n), THREADS>>>(d_keys, d_unique, d_lengths, d_count, d, n);   \
    }

/* ---- reduce_by_key --------------------------------------------------------------------------- */

#define DEFINE_BY_KEY(suffix, key, k, element, t)                                                  \
    __global__ void __launch_bounds__(THREADS)                                                     \
        by_key_##suffix(const key *d_keys, const element *d_values, key *d_unique,                 \
                        element *d_sums, long long *d_count, pair_descriptors d, long long n)      \
    {                                                                                              \
        __shared__ key s_item[TILE]; /* as wide as an element */                                   \
        runs_tile(k, t, d_keys, d_values, d_unique, d_sums, d_count, d, n, s_item);                \
    }                                                                                              \
    void runs_sums_##suffix(const key *d_keys, const element *d_values, key *d_unique,             \
                            element *d_sums, long long *d_count, long long n)                      \
    {                                                                                              \
        pair_descriptors d;                                                                        \
        if (n <= 0)                                                                                \
            keep_nothing(d_count);                                                                 \
        else if (open_pairs(tiles_of(n), &d))                                                      \
            by_key_##suffix<<<tiles_of(n), THREADS>>>(d_keys, d_values, d_unique, d_sums, d_count, \
                                                      d, n);                                       \
    }

/* ---- pairs beyond 2^31 ----------------------------------------------------------------------- */

__global__ void try_join(const long long *d_heads, const int *d_sum, long long *d_joined_heads,
                         int *d_joined_sum, long long n)
{
    const long long k = (long long)blockIdx.x * THREADS + threadIdx.x;
    pair joined = { 0, 0 };

    if (k >= n)
        return;
    if (k + 1 < n) {
        const pair left = { d_heads[k], (unsigned)d_sum[k] };
        const pair right = { d_heads[k + 1], (unsigned)d_sum[k + 1] };
        joined = join(I32, left, right);
    }
    d_joined_heads[k] = joined.heads;
    d_joined_sum[k] = (int)joined.open;
}

void runs_join(const long long *d_heads, const int *d_sum, long long *d_joined_heads,
               int *d_joined_sum, long long n)
{
    if (n > 0)
        try_join<<<(unsigned)((n - 1) / THREADS + 1), THREADS>>>(d_heads, d_sum, d_joined_heads,
                                                                 d_joined_sum, n);
}

#endif
