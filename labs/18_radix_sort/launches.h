/*
 * launches.h: the kernels of lab 18 and the entries of radix_sort.h. For inclusion by
 * radix_sort.cu, at its end.
 *
 * DEFINE_BY_TABLE and DEFINE_SWEEP make them where they stand: in radix_sort.cu, so that reports
 * name its lines. A kernel gives its body an array in shared memory, with room for a tile of its
 * keys.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "passes.h"

/* ---- each tile by a digit -------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS) sort_by_digit(pass p)
{
    __shared__ unsigned s_item[TILE];
    move_tile(U32, IN_TILE, false, p, s_item);
}

void radix_digit(const unsigned *d_in, unsigned *d_out, int n)
{
    pass p = {};

    if (n <= 0)
        return;
    p.d_in = d_in;
    p.d_out = d_out;
    p.n = n;
    p.tiles = tiles_of(n);
    p.shift = radix_first_bit(n);
    p.mask = DIGITS - 1;
    sort_by_digit<<<p.tiles, THREADS>>>(p);
}

/* ---- entries of the whole array -------------------------------------------------------------- */

/* Two forms, KEYS and PAIRS. first, end: the range of bits. */
enum { HAS_VALUES_KEYS = false, HAS_VALUES_PAIRS = true };

#define ENTRY_KEYS(name, element, how, first, end)                                                 \
    void name(const element *d_in, element *d_out, int n)                                          \
    {                                                                                              \
        if (n > 0)                                                                                 \
            how(d_in, NULL, d_out, NULL, n, first, end);                                           \
    }
#define ENTRY_PAIRS(name, element, how, first, end)                                                \
    void name(const element *d_in, const unsigned *d_values, element *d_out,                       \
              unsigned *d_values_out, int n)                                                       \
    {                                                                                              \
        if (n > 0)                                                                                 \
            how(d_in, d_values, d_out, d_values_out, n, first, end);                               \
    }

/* ---- the whole array by tables: three kernels a digit ---------------------------------------- */

/* A warp for each digit: its row of the table becomes what all tiles before have. */
__global__ void __launch_bounds__(THREADS) scan_rows(pass p)
{
    const int lane = threadIdx.x % WARP, x = blockIdx.x * WARPS + threadIdx.x / WARP;
    int *row = p.table + x * p.tiles, before = 0;

    for (int first = 0; first < p.tiles; first += WARP) {
        const int i = first + lane, own = i < p.tiles ? row[i] : 0;
        int sum = own;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const int left = __shfl_up_sync(ALL_LANES, sum, distance);
            if (lane >= distance)
                sum += left;
        }
        if (i < p.tiles)
            row[i] = before + sum - own;
        before += __shfl_sync(ALL_LANES, sum, WARP - 1);
    }
    if (lane == 0)
        p.total[x] = before;
}

#define DEFINE_BY_TABLE(suffix, element, t, form, first_bit, end_bit)                              \
    __global__ void __launch_bounds__(THREADS) count_##suffix(pass p) { count_tile(t, p); }        \
    __global__ void __launch_bounds__(THREADS) move_##suffix(pass p)                               \
    {                                                                                              \
        __shared__ element s_item[TILE];                                                           \
        move_tile(t, BY_TABLE, HAS_VALUES_##form, p, s_item);                                      \
    }                                                                                              \
    static void by_table_##suffix(const element *d_in, const unsigned *d_values, element *d_out,   \
                                  unsigned *d_values_out, int n, int first, int end)               \
    {                                                                                              \
        plan s;                                                                                    \
        if (!open_plan(&s, sizeof *d_in, d_in, d_values, d_out, d_values_out, n, first, end,       \
                       (size_t)DIGITS * (tiles_of(n) + 1)))                                        \
            return;                                                                                \
        for (int k = 0; k < s.passes; k++) {                                                       \
            pass p = s.by[k];                                                                      \
            p.total = (int *)s.d_aside;                                                            \
            p.table = p.total + DIGITS;                                                            \
            count_##suffix<<<p.tiles, THREADS>>>(p);                                               \
            scan_rows<<<DIGITS / WARPS, THREADS>>>(p);                                             \
            move_##suffix<<<p.tiles, THREADS>>>(p);                                                \
        }                                                                                          \
    }                                                                                              \
    ENTRY_##form(radix_device_##suffix, element, by_table_##suffix, first_bit, end_bit)

/* ---- the whole array by sweeps: one kernel a digit ------------------------------------------- */

enum { COUNTED_TILES = 8 /* by a block of count_all */ };

#define DEFINE_SWEEP(suffix, element, t, form, first_bit, end_bit)                                 \
    __global__ void __launch_bounds__(THREADS) count_all_##suffix(                                 \
        const element *d_in, unsigned *d_count, int n, int passes, int first, unsigned last_mask)  \
    {                                                                                              \
        count_all(t, d_in, d_count, n, passes, first, last_mask);                                  \
    }                                                                                              \
    __global__ void __launch_bounds__(THREADS) sweep_##suffix(pass p)                              \
    {                                                                                              \
        __shared__ element s_item[TILE];                                                           \
        move_tile(t, BY_LOOK_BACK, HAS_VALUES_##form, p, s_item);                                  \
    }                                                                                              \
    static void by_sweeps_##suffix(const element *d_in, const unsigned *d_values, element *d_out,  \
                                   unsigned *d_values_out, int n, int first, int end)              \
    {                                                                                              \
        const int tiles = tiles_of(n);                                                             \
        const int passes = (end - first + RADIX_BITS - 1) / RADIX_BITS;                            \
        const size_t words = (size_t)tiles * DIGITS,                                               \
                     aside = MOST_PASSES * (1 + DIGITS) + passes * words;                          \
        plan s;                                                                                    \
        if (!open_plan(&s, sizeof *d_in, d_in, d_values, d_out, d_values_out, n, first, end,       \
                       aside))                                                                     \
            return;                                                                                \
        unsigned *d_ticket = s.d_aside, *d_count = d_ticket + MOST_PASSES,                         \
                 *d_word = d_count + MOST_PASSES * DIGITS;                                         \
        cudaMemsetAsync(s.d_aside, 0, aside * sizeof *d_word);                                     \
        count_all_##suffix<<<(tiles - 1) / COUNTED_TILES + 1, THREADS>>>(                          \
            d_in, d_count, n, passes, first, s.by[passes - 1].mask);                               \
        for (int k = 0; k < s.passes; k++) {                                                       \
            pass p = s.by[k];                                                                      \
            p.ticket = d_ticket + k;                                                               \
            p.count = d_count + k * DIGITS;                                                        \
            p.word = d_word + k * words;                                                           \
            sweep_##suffix<<<tiles, THREADS>>>(p);                                                 \
        }                                                                                          \
    }                                                                                              \
    ENTRY_##form(radix_sweep_##suffix, element, by_sweeps_##suffix, first_bit, end_bit)

#endif
