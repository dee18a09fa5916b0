/*
 * by_key.h: reduce_by_key of runs_speed.cu, all but what the crew does and what look-back
 * adds up. launches.h includes it.
 */
#ifndef BY_KEY_H
#define BY_KEY_H

#if BULK_COPIES

static __device__ __forceinline__ void tell_sums(descriptors d, sums_ring *s)
{
    place at = { 0, 0 };
    long long tile;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, SUMS_STAGES)) {
        unsigned open;

        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const unsigned heads = sums_before(s, at.stage, SUMS_CREW, &open);
        if (threadIdx.x % WARP == 0)
            publish_sums(d, tile, heads, open);
        warp_arrives(&s->r.empty[at.stage]);
    }
}

static __device__ __forceinline__ void place_sums(descriptors d, unsigned tiles, sums_ring *s,
                                                  int *d_sums, long long *d_count)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile, last = 0, before = 0;
    unsigned open = 0;

    open_epoch(&d);
    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; last = tile, move_on(&at, SUMS_STAGES)) {
        before += sums_between(d, tile, last, &open);
        if (lane == 0) {
            s->before[at.stage] = before;
            s->carried[at.stage] = open;
        }
        warp_arrives(&s->r.placed[at.stage]);
    }
    if (last == tiles - 1) { /* it had the last tile, and closes the last run */
        before += sums_between(d, tiles, last, &open);
        if (lane == 0) {
            *d_count = before;
            d_sums[before - 1] = (int)open;
        }
    }
    if (lane == 0)
        close_epoch(d, 2 * tiles);
}

/* The storing warps. Head j closes run j - 1; a warp's first head closes one that began before. */
static __device__ __forceinline__ void store_sums(int *d_unique, int *d_sums, sums_ring *s,
                                                  unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP - SUMS_CREW, lane = threadIdx.x % WARP;
    place at = { 0, 0 };

    for (; tile_at(&s->r, &at) != NO_TILE; move_on(&at, SUMS_STAGES)) {
        unsigned char *s_stage = s_data + at.stage * SUMS_STAGE;
        const int *s_key = (const int *)(s_stage + KEYS_AT) + warp * SUMS_ELEMENTS;
        int *s_sum = (int *)(s_stage + VALUES_AT) + warp * SUMS_ELEMENTS;
        unsigned open;

        mbarrier_wait(&s->r.placed[at.stage], at.parity);
        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const int heads = (int)s->heads[at.stage][warp];
        const unsigned heads_left = sums_before(s, at.stage, warp, &open);
        const long long to = s->before[at.stage] + heads_left;
        if (heads > 0) {
            if (lane == 0)
                s_sum[0] += (int)(heads_left > 0 ? open : s->carried[at.stage] + open);
            __syncwarp();
            store_run(d_unique + to, s_key, 1, heads);
            if (to > 0)
                store_run(d_sums + to - 1, s_sum, 1, heads);
            else /* nothing lies before the first run of all */
                store_run(d_sums, s_sum + 1, 1, heads - 1);
        }
        warp_empties(&s->r.empty[at.stage]);
    }
}

static __device__ __forceinline__ void sums_block(const int *d_keys, const int *d_values,
                                                  int *d_unique, int *d_sums, long long *d_count,
                                                  descriptors d, long long n, unsigned tiles)
{
    extern __shared__ __align__(128) uint4 s_data[]; /* bulk copies take longer to other places */
    __shared__ sums_ring s;
    const int warp = threadIdx.x / WARP;
    const unsigned long long bytes = 4ull * (unsigned long long)n;
    const source keys = { (const unsigned char *)d_keys, bytes, SUMS_TILE * 4, LEAD_BYTES,
                          KEYS_AT },
                 values = { (const unsigned char *)d_values, bytes, SUMS_TILE * 4, 0, VALUES_AT };

    open_ring_of(SUMS_CREW, &s.r, SUMS_STAGES, 1);
    if (warp < SUMS_CREW)
        reduce_tiles(n, &s, (unsigned char *)s_data);
    else if (warp < SUMS_TELLER)
        store_sums(d_unique, d_sums, &s, (unsigned char *)s_data);
    else if (warp == SUMS_TELLER)
        tell_sums(d, &s);
    else if (warp == SUMS_LOOKER)
        place_sums(d, tiles, &s, d_sums, d_count);
    else
        load_tiles(keys, values, d, tiles, &s.r, (unsigned char *)s_data, SUMS_STAGES, SUMS_STAGE);
}

#endif

__global__ void __launch_bounds__(SUMS_THREADS, 1)
    reduce_by_key(const int *d_keys, const int *d_values, int *d_unique, int *d_sums,
                  long long *d_count, descriptors d, long long n, unsigned tiles)
{
    BODY(sums_block(d_keys, d_values, d_unique, d_sums, d_count, d, n, tiles));
}

void runs_speed_sums(const int *d_keys, const int *d_values, int *d_unique, int *d_sums,
                     long long *d_count, long long n)
{
    static unsigned resident;
    const size_t shared = SUMS_STAGES * SUMS_STAGE;
    const unsigned tiles = n > 0 ? (unsigned)((n - 1) / SUMS_TILE + 1) : 0,
                   blocks = resident_blocks((const void *)reduce_by_key, SUMS_THREADS, shared,
                                            &resident),
                   grid = tiles < blocks ? tiles : blocks;
    descriptors d;

    if (n <= 0)
        keep_nothing<<<1, 1>>>(d_count);
    else if (blocks > 0 && open_descriptors(2 * tiles, &d))
        reduce_by_key<<<grid, SUMS_THREADS, shared>>>(d_keys, d_values, d_unique, d_sums, d_count,
                                                      d, n, tiles);
}

#endif
