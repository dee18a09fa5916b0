/*
 * Split and block sort: of tiles, bit by bit.
 *
 * Mapping   a block of 256 threads has a tile of 2048 keys; warp w owns keys 256 w to 256 w + 255
 *           of it, in 8 rows of 32
 * Bytes     of n keys of 4 bytes: each read once and written once, 8 n, whatever the bits
 * Work      a bit: a ballot and a popc a row
 * Source    Harris and Garland, GPU Computing Gems, Jade Edition, section 3.3
 *
 * One body serves all types. Given: keys.h, the types, and a tile in registers; launches.h, kernels
 * and entries; steps.h, how the parts are tried.
 */
#include <cuda_runtime.h>

#include "block_sort.h"
#include "keys.h"

/* ---- bit by bit ------------------------------------------------------------------------------ */

/* ones: bit r is set if the thread's key of row r has a 1. rank[r]: how many keys of the warp have
   a 0 and stand before that one. Returns how many of the warp have a 0, to all its lanes. */
static __device__ __forceinline__ int count_zeros(unsigned ones, int rank[ROWS])
{
    /* TODO 1: row by row: a ballot gives the bits of all lanes; popc counts. */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        rank[row] = 0;
    return 0;
}

/* place[r]: where the thread's key of row r stands in its tile once all keys with a 0 come first,
   in their order, and all others after them, in theirs. */
static __device__ __forceinline__ void split_places(unsigned ones, int place[ROWS])
{
    __shared__ int s_zeros[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    int rank[ROWS], before_warp = 0, zeros = 0;

    const int zeros_of_warp = count_zeros(ones, rank);
    /* TODO 2: each warp leaves its number of zeros in s_zeros; one barrier is enough. Then: where
       does a 0 go, and where a 1? A 1 has as many ones before it as its index, less ... */
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        place[row] = index_in_tile(row);
}

static __device__ __forceinline__ void split_tile(type t, bits key[ROWS], int bit, void *s_key)
{
    int place[ROWS];
    unsigned ones = 0;

#pragma unroll
    for (int row = 0; row < ROWS; row++)
        ones |= (unsigned)(key[row] >> bit & 1) << row;
    split_places(ones, place);
    exchange(t, key, place, s_key);
}

/* Sorts the tile by the bits [first, end). */
static __device__ __forceinline__ void sort_tile(type t, bits key[ROWS], int first, int end,
                                                 void *s_key)
{
    /* TODO 3: one split_tile after another: which bit comes first? */
}

/* ---- the order of keys ----------------------------------------------------------------------- */

/* The key as an unsigned number: of two keys, the smaller one has the smaller number. */
static __device__ __forceinline__ bits to_bits(type t, bits key)
{
    /* TODO 4: which bits of an int have to be turned, and which of a float? */
    return key;
}

/* The key that has these bits. */
static __device__ __forceinline__ bits from_bits(type t, bits b)
{
    return b; /* TODO 4, second half: the way back */
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"

DEFINE_BLOCK(u32, unsigned, U32, radix_first_bit(n), radix_end_bit(n))
DEFINE_BLOCK(f32, float, F32, 0, 32)

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
