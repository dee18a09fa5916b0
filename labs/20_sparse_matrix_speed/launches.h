/*
 * launches.h: the kernel of shares, and the entries of sparse_matrix_speed.h. For inclusion by
 * sparse_matrix_speed.cu, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "../20_sparse_matrix/sparse_matrix.h"
#include "stages.h"

#if BULK_COPIES

/* The whole block calls it. */
static __device__ __forceinline__ void open_spmv_ring(spmv_ring *s, unsigned char *s_data)
{
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(&s->full[stage], 1);
            mbarrier_init(&s->multiplied[stage], MULTIPLIERS);
            mbarrier_init(&s->counted[stage], ADDERS);
            mbarrier_init(&s->summed[stage], ADDERS);
            mbarrier_init(&s->empty[stage], WRITERS);
        }
        for (int half = 0; half < 2; half++) {
            mbarrier_init(&s->searched[half], 1);
            mbarrier_init(&s->taken[half], 1);
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            mbarrier_init(&s->written[slot], WRITERS);
            mbarrier_init(&s->finished[slot], 1);
            s->begun[slot].row = -1;
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    for (int i = threadIdx.x; i < STAGES * MARKS_BYTES / 4; i += THREADS)
        ((unsigned *)(s_data + i / (MARKS_BYTES / 4) * STAGE_BYTES +
                      MARKS_AT))[i % (MARKS_BYTES / 4)] = 0;
    __syncthreads(); /* the only one: everything else is between trades */
}

/* The finisher: the row that began before a share is done when all shares before have published the
   sum that they leave open. */
static __device__ __forceinline__ void finish_shares(matrix m, float *d_y, descriptors d,
                                                     spmv_ring *s)
{
    const int lane = threadIdx.x % WARP;

    open_epoch(&d);
    for (int turn = 0;; turn++) {
        const int slot = turn % SLOTS;

        mbarrier_wait(&s->written[slot], turn / SLOTS % 2);
        const begun_row begun = s->begun[slot];
        if (begun.share == NO_SHARE)
            break;
        if (begun.row >= 0) {
            const float before = open_before(d, begun.share);
            if (lane == 0)
                d_y[begun.row] = before + begun.sum;
        }
        __syncwarp();
        if (lane == 0)
            s->begun[slot].row = -1;
        warp_arrives(&s->finished[slot]);
    }
    if (lane == 0)
        close_epoch(d, shares_of(m));
}

#endif

__global__ void __launch_bounds__(THREADS, 1)
    multiply_shares(matrix m, const float *d_x, float *d_y, descriptors d)
{
#if BULK_COPIES
    extern __shared__ uint4 s_data[];
    __shared__ spmv_ring s;
    const int warp = threadIdx.x / WARP;

    open_spmv_ring(&s, (unsigned char *)s_data);
    if (warp < FIRST_MULTIPLIER) {
        add_tiles(d, &s, (unsigned char *)s_data);
    } else if (warp < FIRST_WRITER) {
        multiply_tiles(m, d_x, &s, (unsigned char *)s_data);
    } else if (warp < SEARCHER) {
        write_tiles(d_y, &s, (unsigned char *)s_data);
    } else if (warp == SEARCHER) {
        search_shares(m, d, &s);
    } else if (warp == FILLER) {
        fill_stages(m, &s, (unsigned char *)s_data);
    } else {
        finish_shares(m, d_y, d, &s);
    }
#else
    __trap(); /* an error that the caller sees */
#endif
}

void spmv_of(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
             float *d_y, long long n, long long rows)
{
    static unsigned resident;
    const size_t shared = STAGES * STAGE_BYTES;
    const matrix m = { d_value, d_column, d_offset, n, rows };
    descriptors d;

    if (rows <= 0)
        return;
    if (n <= FEW && n / rows >= SPMV_SPEED_A_ROW) {
        const unsigned warps = ROW_THREADS / WARP;
        multiply_rows<<<((unsigned)rows + warps - 1) / warps, ROW_THREADS>>>(m, d_x, d_y);
        return;
    }
    const unsigned shares = shares_of(m),
                   blocks =
                       resident_blocks((const void *)multiply_shares, THREADS, shared, &resident),
                   grid = shares < blocks ? shares : blocks;
    if (grid > 0 && open_descriptors(shares, &d))
        multiply_shares<<<grid, THREADS, shared>>>(m, d_x, d_y, d);
}

void spmv_fast(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
               float *d_y, int n)
{
    spmv_of(d_value, d_column, d_offset, d_x, d_y, n, spmv_rows(n));
}

#endif
