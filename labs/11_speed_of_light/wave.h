/*
 * wave.h: the path of lab 11 for arrays that fit on the chip. All blocks run at once. Each loads a
 * piece of the array, keeps it, and asks all blocks before it for their sums: one hop, no
 * look-back.
 *
 * scan_in_registers keeps the piece in registers, scan_in_shared in shared memory. Each is the body
 * of a kernel. Blocks wait for each other, so they have to be launched together (launches.h).
 */
#ifndef WAVE_H
#define WAVE_H

#include "bulk_copies.h"
#include "others.h"

static __device__ __forceinline__ void scan_in_registers(operation op, const int rows,
                                                         const void *d_in, void *d_out,
                                                         descriptors d, long long n)
{
    __shared__ wave s;
    const int most = rows * WARP * per_row(op);
    const long long first =
        ((long long)blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP) * most;
    const int count = share_of(first, most, n);
    const unsigned char *from = (const unsigned char *)d_in + first * element_bytes(op);
    unsigned char *to = (unsigned char *)d_out + first * element_bytes(op);
    value row[WAVE_ROWS][MOST_PER_ROW], sum = 0;
    unsigned gone; /* how many blocks have left the epoch before; thread 0 knows */

#pragma unroll
    for (int r = 0; r < WAVE_ROWS && r < rows; r++)
        load_row(op, from, is_aligned(d_in), row_start(op, r), count, row[r]);
    expect_others(op, &d);
#pragma unroll
    for (int r = 0; r < WAVE_ROWS && r < rows; r++)
        sum = add(op, sum, sum_row(op, row[r]));
    value before = publish_sum(op, d, reduce_warp(op, sum), &s), early = 0;
#pragma unroll
    for (int r = 0; r < EARLY_ROWS && r < rows; r++)
        early = scan_row(op, row[r], early);
    before = add(op, ask_others(op, d, &s, &gone), before);
#pragma unroll
    for (int r = 0; r < EARLY_ROWS && r < rows; r++) {
        add_to_row(op, before, row[r]);
        store_row(op, to, is_aligned(d_out), row_start(op, r), count, row[r]);
    }
    before = add(op, before, early);
#pragma unroll
    for (int r = EARLY_ROWS; r < WAVE_ROWS && r < rows; r++) {
        before = scan_row(op, row[r], before);
        store_row(op, to, is_aligned(d_out), row_start(op, r), count, row[r]);
    }
    if (threadIdx.x == 0 && gridDim.x > 1)
        close_epoch(d, gone, gridDim.x, words_of(op, gridDim.x));
}

#if BULK_COPIES

/* Each warp loads its rows by a bulk copy of its own, and waits for nobody else's; `more` rows
   after them stay in registers. */
static __device__ __forceinline__ void scan_in_shared(operation op, int rows, const int more,
                                                      const void *d_in, void *d_out, descriptors d,
                                                      long long n)
{
    extern __shared__ uint4 s_data[];
    __shared__ mbarrier s_full[WARP];
    __shared__ wave s;
    const int warp = threadIdx.x / WARP, in_shared = rows * WARP * per_row(op),
              most = in_shared + more * WARP * per_row(op);
    const long long first = ((long long)blockIdx.x * (blockDim.x / WARP) + warp) * most;
    const int count = share_of(first, most, n);
    const unsigned char *from = (const unsigned char *)d_in + first * element_bytes(op);
    unsigned char *to = (unsigned char *)d_out + first * element_bytes(op),
                  *s_rows = (unsigned char *)s_data + warp * rows * WARP * ROW_BYTES;
    const unsigned bytes = (unsigned)((count < in_shared ? count : in_shared) * element_bytes(op)),
                   bulk = is_aligned(d_in) ? bytes & ~15u : 0;
    value row[MOST_PER_ROW], kept[MORE_ROWS][MOST_PER_ROW], sum = 0;
    unsigned gone;

    if (threadIdx.x % WARP == 0) {
        mbarrier_init(&s_full[warp], 1);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
        mbarrier_arrive_expecting(&s_full[warp], bulk);
        if (bulk > 0)
            bulk_load_once(s_rows, from, bulk, &s_full[warp]);
    }
#pragma unroll
    for (int r = 0; r < MORE_ROWS && r < more; r++)
        load_row(op, from, is_aligned(d_in), row_start(op, rows + r), count, kept[r]);
    expect_others(op, &d);
    if (bulk < bytes)
        load_rest(s_rows, from, bulk, bytes);
    __syncwarp();
    mbarrier_wait(&s_full[warp], 0);
#ifndef SCANLAB_ENGINE
#pragma unroll 4
#endif
    for (int r = 0; r < rows; r++) {
        load_row(op, s_rows, true, row_start(op, r), count, row);
        sum = add(op, sum, sum_row(op, row));
    }
#pragma unroll
    for (int r = 0; r < MORE_ROWS && r < more; r++)
        sum = add(op, sum, sum_row(op, kept[r]));
    value before = publish_sum(op, d, reduce_warp(op, sum), &s);
    before = add(op, ask_others(op, d, &s, &gone), before);
#ifndef SCANLAB_ENGINE
#pragma unroll 4
#endif
    for (int r = 0; r < rows; r++) {
        load_row(op, s_rows, true, row_start(op, r), count, row);
        before = scan_row(op, row, before);
        store_row(op, to, is_aligned(d_out), row_start(op, r), count, row);
    }
#pragma unroll
    for (int r = 0; r < MORE_ROWS && r < more; r++) {
        before = scan_row(op, kept[r], before);
        store_row(op, to, is_aligned(d_out), row_start(op, rows + r), count, kept[r]);
    }
    if (threadIdx.x == 0 && gridDim.x > 1)
        close_epoch(d, gone, gridDim.x, words_of(op, gridDim.x));
}

#else

static __device__ __forceinline__ void scan_in_shared(operation op, int rows, const int more,
                                                      const void *d_in, void *d_out, descriptors d,
                                                      long long n)
{
    /* never launched: find_limits */
    (void)op, (void)rows, (void)more, (void)d_in, (void)d_out, (void)d, (void)n;
}

#endif

#endif
