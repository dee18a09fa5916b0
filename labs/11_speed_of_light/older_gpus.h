/*
 * older_gpus.h: what takes the place of the ring of lab 11 where there are no bulk copies: THREADS
 * threads take one tile after the other, keep it in registers and look back, as in lab 10, but in
 * persistent blocks. scan_tiles is the body of a kernel.
 */
#ifndef OLDER_GPUS_H
#define OLDER_GPUS_H

#include "bulk_copies.h"
#include "look_back.h"
#include "ring.h"

#if !BULK_COPIES

static __device__ __forceinline__ void scan_tiles(operation op, const crew c, const void *d_in,
                                                  void *d_out, descriptors d, long long n,
                                                  unsigned tiles)
{
    (void)c;
    __shared__ unsigned s_ticket;
    __shared__ value s_total[WARPS], s_before;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    long long last = -1;
    value prefix = 0; /* with the last tile */
    unsigned next = 0;

    open_epoch(&d);
    if (threadIdx.x == 0)
        next = take_ticket(d, tiles);
    for (;;) {
        value row[ROWS][MOST_PER_ROW], sum = 0;

        if (threadIdx.x == 0) {
            s_ticket = next;
            if (next < tiles)
                next = take_ticket(d, tiles); /* on its way while this tile is scanned */
        }
        __syncthreads();
        if (s_ticket >= tiles)
            break;

        const long long tile = s_ticket;
        const int count = count_of(op, tile, n);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            load_row(op, source(d_in, tile), is_aligned(d_in), row_start(op, warp * ROWS + r),
                     count, row[r]);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            sum = add(op, sum, sum_row(op, row[r]));
        sum = reduce_warp(op, sum);
        if (lane == 0)
            s_total[warp] = sum;
        __syncthreads();
        const value total = lane < WARPS ? s_total[lane] : 0;

        if (warp == 0) {
            const value aggregate = reduce_warp(op, total);

            if (lane == 0)
                publish(op, d, tile, aggregate);
            const value before = add(op, prefix, look_back(op, d, tile, last));
            last = tile;
            prefix = add(op, before, aggregate);
            if (lane == 0)
                s_before = before;
        }
        value before = reduce_warp(op, lane < warp ? total : 0);
        __syncthreads();
        before = add(op, s_before, before);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            before = scan_row(op, row[r], before);
            store_row(op, target(d_out, tile), is_aligned(d_out), row_start(op, warp * ROWS + r),
                      count, row[r]);
        }
    }
    if (threadIdx.x == 0)
        close_epoch(d, leave_epoch(d, gridDim.x), gridDim.x, words_of(op, tiles));
}

#endif

#endif
