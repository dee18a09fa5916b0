/*
 * launches.h: the kernel of segmented_scan_sums.cu and the entries of segmented_scan_sums.h. For
 * inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

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
        for (int half = 0; half < 2; half++) {
            mbarrier_init(&s->searched[half], 1);
            mbarrier_init(&s->taken[half], 1);
        }
        mbarrier_init(&s->written, WRITERS);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
        s->begun = -1;
    }
    for (int i = threadIdx.x; i < STAGES * MARKS_BYTES / 4; i += THREADS)
        ((unsigned *)(s_data + i / (MARKS_BYTES / 4) * STAGE_BYTES +
                      MARKS_AT))[i % (MARKS_BYTES / 4)] = 0;
    __syncthreads(); /* the only one: everything else is between trades */
}

/* When all shares before have told what they leave open, the segment that began there is done. */
static __device__ __forceinline__ void finish_begun(float *d_sum, descriptors d, sums_ring *s)
{
    mbarrier_wait(&s->written, 0);
    open_epoch(&d);
    if (s->begun >= 0) {
        const float before = open_before(d, s->share);
        if (threadIdx.x % WARP == 0)
            d_sum[s->begun] = before + s->begun_sum;
    }
    if (threadIdx.x % WARP == 0)
        close_epoch(d, gridDim.x);
}

#endif

__global__ void __launch_bounds__(THREADS, 1)
    sum_shares(const float *d_in, const int *d_offset, float *d_sum, descriptors d, long long n,
               long long segments)
{
#if BULK_COPIES
    extern __shared__ uint4 s_data[];
    __shared__ sums_ring s;
    const int warp = threadIdx.x / WARP;

    open_sums_ring(&s, (unsigned char *)s_data);
    if (warp < FIRST_MARKER) {
        add_tiles(d, &s, (unsigned char *)s_data);
    } else if (warp < FIRST_WRITER) {
        mark_tiles(&s, (unsigned char *)s_data);
    } else if (warp < SEARCHER) {
        write_tiles(d_sum, &s, (unsigned char *)s_data);
    } else if (warp == SEARCHER) {
        search_splits(d_offset, d, n, segments, &s);
        finish_begun(d_sum, d, &s);
    } else {
        fill_stages(d_in, d_offset, n, segments, &s, (unsigned char *)s_data);
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
    const unsigned tiles = segments > 0 ? (unsigned)((n + segments - 1) / ITEMS + 1) : 0,
                   blocks = resident_blocks((const void *)sum_shares, THREADS, shared, &resident),
                   grid = tiles < blocks ? tiles : blocks;
    descriptors d;

    if (grid > 0 && open_descriptors(grid, &d))
        sum_shares<<<grid, THREADS, shared>>>(d_in, d_offset, d_sum, d, n, segments);
}

void segmented_sums_fast(const float *d_in, const int *d_offset, float *d_sum, long long n)
{
    segmented_sums_of(d_in, d_offset, d_sum, n, segmented_sums_count(n));
}

#endif
