/*
 * launches.h: the kernel of shares of segmented_scan_sums.cu and the entries of
 * segmented_scan_sums.h. For inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "few.h"
#include "stages.h"

#if BULK_COPIES

/* The whole block calls it. */
static __device__ __forceinline__ void open_sums_ring(sums_ring *s, unsigned char *s_data)
{
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(&s->full[stage], 1);
            mbarrier_init(&s->marked[stage], MARKERS);
            mbarrier_init(&s->counted[stage], ADDERS);
            mbarrier_init(&s->summed[stage], ADDERS);
            mbarrier_init(&s->empty[stage], WRITERS);
        }
        for (int w = 0; w < SEARCHERS; w++) {
            mbarrier_init(&s->drawn[w], 1);
            mbarrier_init(&s->searched[w], 1);
            mbarrier_init(&s->taken[w], 1);
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            mbarrier_init(&s->written[slot], WRITERS);
            mbarrier_init(&s->finished[slot], 1);
            s->begun[slot].segment = -1;
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    for (int i = threadIdx.x; i < STAGES * MARKS_BYTES / 4; i += THREADS)
        ((unsigned *)(s_data + i / (MARKS_BYTES / 4) * STAGE_BYTES +
                      MARKS_AT))[i % (MARKS_BYTES / 4)] = 0;
    __syncthreads(); /* the only one: everything else is between trades */
}

/* The finisher: the segment that began before a share is done when all shares before have published
   the sum that they leave open. */
static __device__ __forceinline__ void finish_shares(float *d_sum, descriptors d, unsigned shares,
                                                     sums_ring *s)
{
    const int lane = threadIdx.x % WARP;

    open_epoch(&d);
    for (int turn = 0;; turn++) {
        const int slot = turn % SLOTS;

        mbarrier_wait(&s->written[slot], turn / SLOTS % 2);
        const begun_segment begun = s->begun[slot];
        if (begun.share == NO_SHARE)
            break;
        if (begun.segment >= 0) {
            const float before = open_before(d, begun.share);
            if (lane == 0)
                d_sum[begun.segment] = before + begun.sum;
        }
        __syncwarp();
        if (lane == 0)
            s->begun[slot].segment = -1;
        warp_arrives(&s->finished[slot]);
    }
    if (lane == 0)
        close_epoch(d, shares);
}

#endif

__global__ void __launch_bounds__(THREADS, 1)
    sum_shares(const float *d_in, const int *d_offset, float *d_sum, descriptors d, long long n,
               long long segments, share_plan p)
{
#if BULK_COPIES
    extern __shared__ __align__(128) uint4 s_data[]; /* bulk copies take longer to other places */
    __shared__ sums_ring s;
    const int warp = threadIdx.x / WARP;

    open_sums_ring(&s, (unsigned char *)s_data);
    if (warp < FIRST_SEARCHER) {
        const long long all = n + segments, values = BROUGHT * n / all;
        bring_first(d_in, values, n, FIRST_SEARCHER * WARP);
        bring_first(d_offset, BROUGHT - values, segments + 1, FIRST_SEARCHER * WARP);
    }
    if (warp < FIRST_MARKER) {
        add_tiles(d, &s, (unsigned char *)s_data);
    } else if (warp < FIRST_WRITER) {
        mark_tiles(&s, (unsigned char *)s_data);
    } else if (warp < FIRST_SEARCHER) {
        write_tiles(d_sum, &s, (unsigned char *)s_data);
    } else if (warp < FILLER) {
        search_shares(d_offset, d, n, segments, p, &s);
    } else if (warp == FILLER) {
        fill_stages(d_in, d_offset, n, segments, p, &s, (unsigned char *)s_data);
    } else {
        finish_shares(d_sum, d, p.shares, &s);
    }
#else
    __trap(); /* an error that the caller sees */
#endif
}

void segmented_sums_of(const float *d_in, const int *d_offset, float *d_sum, long long n,
                       long long segments)
{
    static unsigned resident;
    const size_t shared = STAGES * STAGE_BYTES;
    descriptors d;

    if (segments <= 0)
        return;
    if (n <= FEW && segments <= n / FEW_MEAN) {
        const unsigned few = (unsigned)few_tiles((int)n);
        if (open_descriptors(few, &d))
            sum_few<<<few, FEW_THREADS>>>(d_in, d_offset, d_sum, d, (int)n, (int)segments);
        return;
    }
    const unsigned blocks = resident_blocks((const void *)sum_shares, THREADS, shared, &resident),
                   tiles = (unsigned)((n + segments - 1) / ITEMS + 1);
    if (blocks == 0)
        return;
    const unsigned each = tiles / blocks < ROUNDS * SHARE ? 1 : SHARE;
    const share_plan p = { tiles, each, (tiles - 1) / each + 1 };
    const unsigned grid = p.shares < blocks ? p.shares : blocks;

    if (open_descriptors(p.shares, &d))
        sum_shares<<<grid, THREADS, shared>>>(d_in, d_offset, d_sum, d, n, segments, p);
}

void segmented_sums_fast(const float *d_in, const int *d_offset, float *d_sum, long long n)
{
    segmented_sums_of(d_in, d_offset, d_sum, n, segmented_sums_count(n));
}

#endif
