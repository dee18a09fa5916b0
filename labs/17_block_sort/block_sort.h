/*
 * block_sort.h: the contract of lab 17, between block_sort.cu and its callers.
 *
 * Sorts each tile by bits of its keys, from the lowest to the highest, each time by a stable split:
 * what is equal in the bit of a split keeps its order. The array is cut into tiles of RADIX_TILE
 * keys, the last of them partial where n is not a multiple, and a block has RADIX_THREADS threads.
 *
 * Common to all:
 *   d_in      n keys in device memory, aligned as cudaMalloc aligns; only read
 *   d_out     room for n keys, apart from every other array
 *   n         keys, 0 <= n < 2^30
 * Ascending: of float as numbers, -0.0 before 0.0, and no key is a NaN. Every sort is stable.
 *
 * An entry works on the default stream and returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize.
 *
 * Source: Harris and Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture",
 * GPU Computing Gems, Jade Edition, section 3.3.
 */
#ifndef BLOCK_SORT_H
#define BLOCK_SORT_H

enum {
    RADIX_THREADS = 256, /* of a block: 8 warps */
    RADIX_TILE = 2048    /* keys of a tile: 8 a thread */
};

/* Where a call has a bit, or a range of bits, n says which: [first, end), never empty. */
static inline int radix_bit(int n) { return n % 32; }
static inline int radix_first_bit(int n)
{
    static const int first[8] = { 0, 5, 0, 31, 8, 12, 20, 24 };
    return first[(n / RADIX_TILE + n) % 8];
}
static inline int radix_end_bit(int n)
{
    static const int end[8] = { 32, 21, 1, 32, 16, 24, 29, 32 };
    return end[(n / RADIX_TILE + n) % 8];
}

#ifdef __cplusplus
extern "C" {
#endif

/* Each tile by itself, in one kernel that reads a key once and writes it once. */

/* Keys with a 0 in bit radix_bit(n) first, then those with a 1. */
void radix_split(const unsigned *d_in, unsigned *d_out, int n);

/* Sorted by the range of bits; by all bits. */
void radix_block_u32(const unsigned *d_in, unsigned *d_out, int n);
void radix_block_f32(const float *d_in, float *d_out, int n);

/* Steps: given in steps.h, they try your device functions one by one. In them a warp works alone,
   and has its elements in rows of 32, as in a tile. */

/* count_zeros: d_rank[i] = how many elements of i's warp before i are 0 in d_bit; of each warp of
   256. */
void radix_zeros(const int *d_bit, int *d_rank, int n);

/* to_bits: what each key becomes. */
void radix_order(const int *d_int, const float *d_float, unsigned *d_int_bits,
                 unsigned *d_float_bits, int n);

#ifdef __cplusplus
}
#endif

#endif
