// expect: PASS | reducers: lambda for a row, sums of even and odd rows apart, while loop
/*
 * Inclusive scan of a whole array at the speed of memory: decoupled look-back in persistent blocks.
 *
 * Mapping   as many blocks as the GPU holds take tile after tile. Their warps have four trades: one
 *           loads, 8 reduce, one or two look back, 8 or 16 scan. A ring of tiles in shared memory,
 *           with mbarriers, lies between them. A lane owns 16 bytes in each of its warp's rows of
 *           512 bytes
 * Bytes     each element read once and written once; a tile's descriptor costs 8 bytes more (16 for
 *           8-byte elements), and as many for each one looked at
 * Work      about 3n additions: n for the aggregates, taken ahead, and 2n for the scans
 * Depth     a block waits for aggregates only, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4
 *
 * One body serves all types. Given, each in a header of this folder:
 *     rows.h, bulk_copies.h         rows of 16 bytes a lane; PTX in functions
 *     sizes.h, descriptors.h        constants; what tiles publish
 *     look_back.h, ring.h           the look-back; stages, places, mbarriers
 *     launches.h                    kernels, launches, and the entries of speed_of_light.h
 *     wave.h, older_gpus.h          two other paths: small arrays, GPUs without bulk copies
 */
#include <cuda_runtime.h>

#include "bulk_copies.h"
#include "descriptors.h"
#include "ring.h"
#include "rows.h"
#include "speed_of_light.h"

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Publishes the sum of a tile. One thread calls it. A word is written at once; others
   may see the two words of an 8-byte sum at different times, and compare their stamps. */
static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile,
                                               value sum)
{
    unsigned long long *word = &d.word[words_of(op, tile)];

    if (is_narrow(op))
        *(volatile unsigned long long *)word = stamped(d, (unsigned)sum);
    else
        asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};"
                     :
                     : "l"(__cvta_generic_to_global(word)), "l"(stamped(d, (unsigned)sum)),
                       "l"(stamped(d, (unsigned)(sum >> 32)))
                     : "memory");
}

/* Has the tile published its sum in this launch? If so, it is in *sum. */
static __device__ __forceinline__ bool inspect(operation op, descriptors d, long long tile,
                                               value *sum)
{
    const unsigned long long *word = &d.word[words_of(op, tile)];
    unsigned long long low, high;

    if (is_narrow(op))
        high = low = *(const volatile unsigned long long *)word;
    else
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(__cvta_generic_to_global(word))
                     : "memory");
    if ((unsigned)(low >> 32) != d.stamp || (unsigned)(high >> 32) != d.stamp)
        return false;
    *sum = is_narrow(op) ? (unsigned)low : high << 32 | (unsigned)low;
    return true;
}

/* The last of all to leave raises the epoch for the next launch. It also clears a word that no tile
   of this launch has used, another one each time: so no stamp grows so old that the epoch wraps
   around to it. */
static __device__ __forceinline__ void close_epoch(descriptors d, unsigned gone, unsigned times,
                                                   unsigned long long used)
{
    if (gone != times - 1)
        return;
    if (d.stamp % d.room >= used)
        d.word[d.stamp % d.room] = 0;
    *(volatile unsigned *)&d.state[EPOCH] = d.stamp + 1 != 0 ? d.stamp : 0;
}

#include "look_back.h"

/* ---- the ring: four trades ------------------------------------------------------------------- */

#if BULK_COPIES

static __device__ void load_tiles(operation op, const crew c, const void *d_in, descriptors d,
                                  long long n, unsigned tiles, ring *s, unsigned char *s_data)
{
    const int lane = threadIdx.x % WARP;
    const bool aligned = is_aligned(d_in);
    place at = { 0, 1 }, earlier = { 0, 0 }; /* every stage is empty at first */
    long long previous = -1;

    for (unsigned taken = 0;; taken++, move_on(&at, 1)) {
        unsigned tile = blockIdx.x + taken * gridDim.x;

        if (c == STEADY && lane == 0)
            tile = take_ticket(d, tiles); /* on its way while the stage is waited for */
        mbarrier_wait(&s->empty[at.stage], at.parity);
        tile = __shfl_sync(ALL_LANES, tile, 0);
        if (tile >= tiles)
            break;
        if (taken >= AHEAD) {
            mbarrier_wait(&s->full[earlier.stage], earlier.parity);
            move_on(&earlier, 1);
        }

        const unsigned bytes = (unsigned)(count_of(op, tile, n) * element_bytes(op));
        const unsigned bulk = aligned ? bytes & ~15u : 0;
        unsigned char *s_tile = stage_data(s_data, at.stage);

        if (bulk < bytes)
            load_rest(s_tile, source(d_in, tile), bulk, bytes);
        if (lane == 0) {
            s->tile[at.stage] = tile;
            s->previous[at.stage] = previous;
            previous = tile;
            mbarrier_arrive_expecting(&s->full[at.stage], bulk);
            if (bulk > 0)
                bulk_load(s_tile, source(d_in, tile), bulk, &s->full[at.stage]);
        } else
            /* each lane for what it has loaded itself */
            mbarrier_arrive(&s->full[at.stage]);
    }
    /* each of them comes by at another stage */
    for (int i = 0; i < lookers_of(c); i++, move_on(&at, 1)) {
        mbarrier_wait(&s->empty[at.stage], at.parity);
        if (lane == 0)
            s->tile[at.stage] = NO_TILE;
        mbarrier_arrive(&s->full[at.stage]);
    }
}

/* A reducer adds up the parts of one scanner or two; the first of them publishes the tile's sum. */
static __device__ void reduce_tiles(operation op, const crew c, descriptors d, long long n, ring *s,
                                    unsigned char *s_data)
{
    const int reducer = threadIdx.x / WARP - scanners_of(c), lane = threadIdx.x & (WARP - 1);
    const int parts = scanners_of(c) / WARPS;
    const bool first = reducer == 0;
    place at = { 0, 0 };

    if (first)
        open_epoch(&d);
    while (true) {
        const long long tile = tile_at(s, &at);
        if (tile == NO_TILE)
            return;
        const int count = count_of(op, tile, n);
        unsigned char *data = stage_data(s_data, at.stage);
        auto sum_of = [&](int r) -> value {
            value row[MOST_PER_ROW];
            load_row(op, data, true, row_start(op, r), count, row);
            return sum_row(op, row);
        };

        for (int k = 0; k < parts; k++) {
            const int part = reducer * parts + k, begin = part * rows_of(c);
            value even = 0, odd = 0;

#pragma unroll
            for (int r = 0; r < rows_of(c); r += 2) {
                even = add(op, even, sum_of(begin + r));
                if (r + 1 < rows_of(c))
                    odd = add(op, odd, sum_of(begin + r + 1));
            }
            const value sum = reduce_warp(op, add(op, even, odd));
            if (lane == 0)
                s->total[at.stage][part] = sum;
        }
        __syncwarp();
        if (lane == 0)
            mbarrier_arrive(&s->reduced[at.stage]);
        if (first) {
            mbarrier_wait(&s->reduced[at.stage], at.parity);
            const value sum = totals_before(op, s, at.stage, scanners_of(c));
            if (lane == 0)
                publish(op, d, tile, sum);
            __syncwarp();
            if (lane == WARP - 1)
                mbarrier_arrive(&s->empty[at.stage]);
        }
        move_on(&at, 1);
    }
}

/* A warp that looks back, for every tile or for every other one. It ends at the block's previous
   tile: the block knows what lies before that. */
static __device__ void place_tiles(operation op, const crew c, descriptors d, unsigned tiles,
                                   ring *s)
{
    const int looker = threadIdx.x / WARP - scanners_of(c) - WARPS;
    place at = { looker, 0 }, last = { looker - 1, 0 };
    long long tile;

    open_epoch(&d);
    for (; (tile = tile_at(s, &at)) != NO_TILE;
         move_on(&at, lookers_of(c)), move_on(&last, lookers_of(c))) {
        value before = look_back(op, d, tile, s->previous[at.stage]);

        mbarrier_wait(&s->reduced[at.stage], at.parity);
        const value sum = totals_before(op, s, at.stage, scanners_of(c));
        if (last.stage >= 0) {
            mbarrier_wait(&s->placed[last.stage], last.parity);
            before = add(op, s->prefix[last.stage], before);
        }
        __syncwarp(); /* the whole warp has read the prefix */
        if (threadIdx.x % WARP == 0) {
            s->before[at.stage] = before;
            s->prefix[at.stage] = add(op, before, sum);
            mbarrier_arrive(&s->placed[at.stage]);
        }
    }
    if (threadIdx.x % WARP == 0)
        close_epoch(d, leave_epoch(d, gridDim.x * lookers_of(c)), gridDim.x * lookers_of(c),
                    words_of(op, tiles));
}

static __device__ void scan_stages(operation op, const crew c, void *d_out, long long n, ring *s,
                                   unsigned char *s_data)
{
    const int part = threadIdx.x / WARP;
    const bool aligned = is_aligned(d_out);
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1)) {
        const int count = count_of(op, tile, n);
        value row[ROWS][MOST_PER_ROW];

#pragma unroll
        for (int r = 0; r < ROWS && r < rows_of(c); r++)
            load_row(op, stage_data(s_data, at.stage), true, row_start(op, part * rows_of(c) + r),
                     count, row[r]);
        mbarrier_wait(&s->placed[at.stage], at.parity);
        value before = s->before[at.stage];
        before = add(op, before, totals_before(op, s, at.stage, part));
        if (threadIdx.x % WARP == 0)
            mbarrier_arrive(&s->empty[at.stage]); /* the whole warp has read the stage */

#pragma unroll
        for (int r = 0; r < ROWS && r < rows_of(c); r++) {
            before = scan_row(op, row[r], before);
            store_row(op, target(d_out, tile), aligned, row_start(op, part * rows_of(c) + r), count,
                      row[r]);
        }
    }
}

/* A block of STEADY_THREADS or BRISK_THREADS threads, with STAGES * TILE_BYTES bytes of dynamic
   shared memory. */
static __device__ __forceinline__ void scan_tiles(operation op, const crew c, const void *d_in,
                                                  void *d_out, descriptors d, long long n,
                                                  unsigned tiles)
{
    extern __shared__ uint4 s_data[];
    __shared__ ring s;
    const int warp = threadIdx.x / WARP, first_reducer = scanners_of(c),
              first_looker = first_reducer + WARPS;

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(&s.full[stage], WARP);
            mbarrier_init(&s.reduced[stage], WARPS);
            mbarrier_init(&s.placed[stage], 1);
            mbarrier_init(&s.empty[stage], scanners_of(c) + 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads(); /* the only one: everything else is between trades */

    if (warp == first_looker + lookers_of(c))
        load_tiles(op, c, d_in, d, n, tiles, &s, (unsigned char *)s_data);
    else if (warp >= first_looker)
        place_tiles(op, c, d, tiles, &s);
    else if (warp >= first_reducer)
        reduce_tiles(op, c, d, n, &s, (unsigned char *)s_data);
    else
        scan_stages(op, c, d_out, n, &s, (unsigned char *)s_data);
}

#endif

#include "launches.h"
