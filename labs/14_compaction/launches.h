/*
 * launches.h: the kernels of lab 14 and the entries of compaction.h, one of each for each type. For
 * inclusion by compaction.cu, at its end. store_run is also tried alone, with numbers for which no
 * array is large enough, and publish and inspect, with tiles of one element.
 *
 * DEFINE_SELECT makes them where it stands: in compaction.cu, so that reports name its lines.
 *
 * A kernel gives its body an array in shared memory, with room for a tile of the widest type that
 * passes through it.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "compaction.h"
#include "elements.h"
#include "look_back.h"

static unsigned tiles_of(long long n) { return (unsigned)((n - 1) / TILE + 1); }

/* ---- select_if, partition_if, select_if in place --------------------------------------------- */

#define DEFINE_SELECT(suffix, element, t)                                                          \
    __global__ void __launch_bounds__(THREADS) select_##suffix(                                    \
        const element *d_in, element *d_out, long long *d_count, descriptors d, long long n)       \
    {                                                                                              \
        __shared__ element s_item[TILE];                                                           \
        select_tile(t, SELECT, d_in, d_out, NULL, d_count, d, n, s_item);                          \
    }                                                                                              \
    __global__ void __launch_bounds__(THREADS)                                                     \
        partition_##suffix(const element *d_in, element *d_out, element *d_rest,                   \
                           long long *d_count, descriptors d, long long n)                         \
    {                                                                                              \
        __shared__ element s_item[TILE];                                                           \
        select_tile(t, PARTITION, d_in, d_out, d_rest, d_count, d, n, s_item);                     \
    }                                                                                              \
    __global__ void __launch_bounds__(THREADS) in_place_##suffix(                                  \
        const element *d_in, element *d_out, long long *d_count, descriptors d, long long n)       \
    {                                                                                              \
        __shared__ element s_item[TILE];                                                           \
        select_tile(t, IN_PLACE, d_in, d_out, NULL, d_count, d, n, s_item);                        \
    }                                                                                              \
    void compaction_select_##suffix(const element *d_in, element *d_out, long long *d_count,       \
                                    long long n)                                                   \
    {                                                                                              \
        descriptors d;                                                                             \
        if (n <= 0)                                                                                \
            keep_nothing(d_count);                                                                 \
        else if (open_descriptors(tiles_of(n), &d))                                                \
            select_##suffix<<<tiles_of(n), THREADS>>>(d_in, d_out, d_count, d, n);                 \
    }                                                                                              \
    void compaction_partition_##suffix(const element *d_in, element *d_out, element *d_rest,       \
                                       long long *d_count, long long n)                            \
    {                                                                                              \
        descriptors d;                                                                             \
        if (n <= 0)                                                                                \
            keep_nothing(d_count);                                                                 \
        else if (open_descriptors(tiles_of(n), &d))                                                \
            partition_##suffix<<<tiles_of(n), THREADS>>>(d_in, d_out, d_rest, d_count, d, n);      \
    }                                                                                              \
    void compaction_in_place_##suffix(const element *d_in, element *d_out, long long *d_count,     \
                                      long long n)                                                 \
    {                                                                                              \
        descriptors d;                                                                             \
        if (n <= 0)                                                                                \
            keep_nothing(d_count);                                                                 \
        else if (open_descriptors(tiles_of(n), &d))                                                \
            in_place_##suffix<<<tiles_of(n), THREADS>>>(d_in, d_out, d_count, d, n);               \
    }

/* ---- far beyond 2^31 ------------------------------------------------------------------------- */

__global__ void try_far(const long long *d_at, int *d_out)
{
    enum { SKIP = 3, RUN = COMPACTION_FAR_RUN };
    __shared__ int s_item[SKIP + RUN];
    const long long at = d_at[blockIdx.x];
    const int first = (int)blockIdx.x * RUN;

    for (int i = threadIdx.x; i < SKIP + RUN; i += THREADS)
        s_item[i] = first + i - SKIP;
    __syncthreads();
    /* moved in units of bytes, so that no pointer arithmetic leaves its array */
    store_run(I32, (void *)((unsigned long long)(d_out + first) - 4ull * at), at, s_item, SKIP,
              RUN);
}

void compaction_far(const long long *d_at, int *d_out, long long n)
{
    if (n > 0)
        try_far<<<(unsigned)n, THREADS>>>(d_at, d_out);
}

/* ---- words in place -------------------------------------------------------------------------- */

/* Block t reads element t, publishes it, as an aggregate or a prefix in turn, and then overwrites
   the element before. */
__global__ void try_words(const int *d_in, int *d_out, descriptors d)
{
    __shared__ unsigned s_tile;
    const long long tile = take_tile(d, &s_tile);
    const int own = d_in[tile];
    long long before = 0;

    publish(IN_PLACE, d, tile, tile % 2 ? PREFIX : AGGREGATE, own);
    while (tile > 0 && inspect(IN_PLACE, d, tile - 1, &before) == INVALID)
        ;
    if (tile > 0)
        d_out[tile - 1] = (int)before + own;
    if (tile == gridDim.x - 1)
        d_out[tile] = own;
}

void compaction_words(const int *d_in, int *d_out, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors((unsigned)n, &d))
        try_words<<<(unsigned)n, 1>>>(d_in, d_out, d);
}

#endif
