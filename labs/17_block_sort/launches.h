/*
 * launches.h: the kernels of lab 17 and the entries of block_sort.h. For inclusion by
 * block_sort.cu, at its end.
 *
 * DEFINE_BLOCK makes them where it stands: in block_sort.cu, so that reports name its lines. A
 * kernel gives its body an array in shared memory, with room for a tile of its keys.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "keys.h"

#define DEFINE_BLOCK(suffix, element, t, first_bit, end_bit)                                       \
    __global__ void __launch_bounds__(THREADS)                                                     \
        block_##suffix(const element *d_in, element *d_out, int n, int first, int end)             \
    {                                                                                              \
        __shared__ element s_key[TILE];                                                            \
        const int tile = blockIdx.x, count = keys_of(tile, n);                                     \
        bits key[ROWS];                                                                            \
        load_keys(t, d_in, tile, count, key);                                                      \
        sort_tile(t, key, first, end, s_key);                                                      \
        store_keys(t, d_out, tile, count, key);                                                    \
    }                                                                                              \
    void radix_block_##suffix(const element *d_in, element *d_out, int n)                          \
    {                                                                                              \
        if (n > 0)                                                                                 \
            block_##suffix<<<tiles_of(n), THREADS>>>(d_in, d_out, n, first_bit, end_bit);          \
    }

__global__ void __launch_bounds__(THREADS)
    split_tiles(const unsigned *d_in, unsigned *d_out, int n, int bit)
{
    __shared__ unsigned s_key[TILE];
    const int tile = blockIdx.x, count = keys_of(tile, n);
    bits key[ROWS];

    load_keys(U32, d_in, tile, count, key);
    split_tile(U32, key, bit, s_key);
    store_keys(U32, d_out, tile, count, key);
}

void radix_split(const unsigned *d_in, unsigned *d_out, int n)
{
    if (n > 0)
        split_tiles<<<tiles_of(n), THREADS>>>(d_in, d_out, n, radix_bit(n));
}

#endif
