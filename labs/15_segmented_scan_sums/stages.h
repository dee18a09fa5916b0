/*
 * stages.h: how large everything in segmented_scan_sums.cu is, what the warps of a block tell each
 * other, and the two warps that are given: one finds where the block's tiles begin, one loads them.
 *
 * Elements and ends of segments are one row of items: the end of segment s stands behind the
 * segment's elements, as number d_offset[s + 1] + s. A tile is ITEMS of them, a share the tiles of
 * a block, side by side. So work is shared out equally, whatever the segments.
 */
#ifndef STAGES_H
#define STAGES_H

#include "../14_compaction_speed/ring.h"
#include "segmented_scan_sums.h"

#ifdef SCANLAB_ENGINE
enum { ITEMS = SEGMENTED_SUMS_ENGINE_ITEMS, STAGES = 2, ADDERS = 4, MARKERS = 2, WRITERS = 2 };
#else
enum { ITEMS = SEGMENTED_SUMS_ITEMS, STAGES = 4, ADDERS = 12, MARKERS = 4, WRITERS = 6 };
#endif

enum {
    /* of an adder's thread: seven times 16 bytes, an odd number, so that lanes which read together
       meet in no bank */
    EACH = SEGMENTED_SUMS_EACH,
    MARKS_AT = (ITEMS + 16) * 4, /* in a stage: a byte for each element, 1 where a segment ends */
    MARKS_BYTES = ADDERS * WARP * EACH,
    STAGE_BYTES = MARKS_AT + MARKS_BYTES,
    /* warps of a block, in this order: ADDERS, MARKERS, WRITERS, and these */
    FIRST_MARKER = ADDERS,
    FIRST_WRITER = FIRST_MARKER + MARKERS,
    SEARCHER = FIRST_WRITER + WRITERS,
    FILLER,
    THREADS = (FILLER + 1) * WARP
};

#if BULK_COPIES

/* A tile in its stage. Its elements begin at `value`, the offsets at `offset`: d_offset[first_end],
   the begin of the segment whose end is the tile's first. */
typedef struct tile_items {
    bool is_tile; /* false: there are no more */
    long long first_value;
    int values, ends; /* how many */
    int value, offset;
    long long first_end;
} tile_items;

typedef struct sums_ring {
    mbarrier full[STAGES];    /* the load warp has filled it */
    mbarrier marked[STAGES];  /* last elements of segments are marked */
    mbarrier counted[STAGES]; /* the adders know what is open at their ends */
    mbarrier summed[STAGES];  /* sums stand where the last elements stood */
    mbarrier empty[STAGES];   /* the writers have read it */
    mbarrier searched[2], taken[2], written;
    tile_items tile[STAGES];
    float open[STAGES][ADDERS]; /* at the end of each adder's elements */
    bool any[STAGES][ADDERS];   /* do they have a last element? */
    float before[STAGES];       /* open before the tile, in this share */
    long long split[2][WARP];   /* ends before tiles, in turns of 32 */
    unsigned share;
    long long first_value; /* of the share */
    /* the sum of the segment that began before the share and ends in it, as far as the share knows
       it; -1: there is none */
    long long begun;
    float begun_sum;
} sums_ring;

/* Items before tile `tile`. */
static __device__ __forceinline__ long long items_before(long long tile, long long all)
{
    return tile * ITEMS < all ? tile * ITEMS : all;
}

/* First tile of a share; that of share gridDim.x is behind the last. */
static __device__ __forceinline__ long long first_tile(unsigned share, long long all)
{
    return ((all + ITEMS - 1) / ITEMS) * share / gridDim.x;
}

/* Is the end of segment s among the first `items`? */
static __device__ __forceinline__ bool is_before(const int *d_offset, long long s, long long items)
{
    return d_offset[s + 1] + s < items;
}

/* How many of the first `items` are ends, [low, high] of them: 32 probes a step. A whole warp calls
   it. */
static __device__ __forceinline__ long long ends_together(const int *d_offset, long long items,
                                                          long long low, long long high)
{
    /* there may be fewer than 32: lanes whose probe is the next one's have none */
    while (low < high) {
        const long long width = high - low, probe = low + width * (threadIdx.x % WARP) / WARP,
                        next = low + width * (threadIdx.x % WARP + 1) / WARP;
        const unsigned before =
            __ballot_sync(ALL_LANES, probe < next && is_before(d_offset, probe, items));
        const int last = before ? 31 - __clz((int)before) : -1;

        if (last < 0) {
            high = low;
        } else {
            high = __shfl_sync(ALL_LANES, next, last);
            low = __shfl_sync(ALL_LANES, probe, last) + 1;
        }
    }
    return low;
}

/* The same for one lane, near a guess. */
static __device__ __forceinline__ long long ends_near(const int *d_offset, long long items,
                                                      long long low, long long high,
                                                      long long guess)
{
    guess = guess < low ? low : guess > high ? high : guess;
    for (long long reach = 8; low < high; reach *= 8) {
        const long long left = guess - reach > low ? guess - reach : low,
                        right = guess + reach < high ? guess + reach : high;
        const bool from_left = left == low || is_before(d_offset, left - 1, items),
                   to_right = right == high || !is_before(d_offset, right, items);

        low = from_left ? left : low;
        high = to_right ? right : high;
        if (!from_left)
            high = left - 1;
        if (!to_right)
            low = right + 1;
        if (from_left && to_right)
            break;
    }
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (is_before(d_offset, middle, items))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The search warp: takes a share, and tells for tile after tile how many ends lie before it, 32
   tiles at a time. */
static __device__ __forceinline__ void search_splits(const int *d_offset, descriptors d,
                                                     long long n, long long segments, sums_ring *s)
{
    const int lane = threadIdx.x % WARP;
    const long long all = n + segments;
    unsigned share = 0;

    if (lane == 0)
        share = atomicInc(&d.state[TICKETS], gridDim.x - 1);
    share = __shfl_sync(ALL_LANES, share, 0);
    const long long begin = first_tile(share, all), end = first_tile(share + 1, all),
                    items = items_before(begin, all), range = items_before(end, all) - items,
                    first = ends_together(d_offset, items, 0, segments),
                    last = ends_together(d_offset, items + range, first, segments);
    long long low = first;

    if (lane == 0) {
        s->share = share;
        s->first_value = items - first;
    }
    for (int turn = 0; begin + turn * WARP <= end; turn++) {
        const int half = turn % 2;
        const long long mine = begin + turn * WARP + lane, upto = items_before(mine, all);
        long long split = last;

        if (mine < end && range > 0)
            split = ends_near(d_offset, upto, low, last,
                              first + (long long)((double)(last - first) *
                                                  ((double)(upto - items) / (double)range)));
        mbarrier_wait(&s->taken[half], (turn / 2 + 1) % 2);
        s->split[half][lane] = split;
        low = __shfl_sync(ALL_LANES, split, WARP - 1);
        warp_arrives(&s->searched[half]);
    }
}

/* Elements [first, last) of an array of `limit`, so that element `first` comes to lie at most 3
   behind s_to; returns at which place. Sends what bulk copies can bring, and tells how many bytes,
   once for `send` false and once for true. */
static __device__ __forceinline__ int fill_part(const void *d_from, long long first, long long last,
                                                long long limit, unsigned *s_to, mbarrier *m,
                                                bool send, unsigned *bytes)
{
    const bool aligned = (unsigned long long)d_from % 16 == 0;
    const unsigned *d_all = (const unsigned *)d_from;
    const long long begin = aligned ? first & ~3LL : first,
                    whole = ((last + 3) & ~3LL) < (limit & ~3LL) ? (last + 3) & ~3LL : limit & ~3LL,
                    bulk = aligned && last > first && whole > begin ? whole : begin;

    if (!send) {
        for (long long i = bulk + threadIdx.x % WARP; i < last; i += WARP)
            s_to[i - begin] = d_all[i];
        *bytes += (unsigned)(bulk - begin) * 4;
    } else if (bulk > begin && 4 * (unsigned long long)limit <= ONCE_BYTES) {
        bulk_load_once(s_to, d_all + begin, (unsigned)(bulk - begin) * 4, m);
    } else if (bulk > begin) {
        bulk_load(s_to, d_all + begin, (unsigned)(bulk - begin) * 4, m);
    }
    return (int)(first - begin);
}

/* The load warp. */
static __device__ __forceinline__ void fill_stages(const float *d_in, const int *d_offset,
                                                   long long n, long long segments, sums_ring *s,
                                                   unsigned char *s_data)
{
    const int lane = threadIdx.x % WARP;
    const long long all = n + segments;
    place at = { 0, 1 }, earlier = { 0, 0 };

    mbarrier_wait(&s->searched[0], 0);
    const long long begin = first_tile(s->share, all), end = first_tile(s->share + 1, all);
    long long ends = s->split[0][0];

    for (long long tile = begin;; tile++, move_on(&at, STAGES)) {
        const int turn = (int)((tile + 1 - begin) / WARP),
                  in_turn = (int)((tile + 1 - begin) % WARP);
        unsigned *s_stage = (unsigned *)(s_data + at.stage * STAGE_BYTES), bytes = 0;
        tile_items t = { tile < end, 0, 0, 0, 0, 0, ends };

        mbarrier_wait(&s->empty[at.stage], at.parity);
        if (!t.is_tile) {
            if (lane == 0)
                s->tile[at.stage] = t;
            warp_arrives(&s->full[at.stage]);
            return;
        }
        if (in_turn == 0) { /* the last turn's splits are all taken */
            warp_arrives(&s->taken[(turn - 1) % 2]);
            mbarrier_wait(&s->searched[turn % 2], turn / 2 % 2);
        }
        const long long split = s->split[turn % 2][in_turn];
        if (tile - begin >= AHEAD) {
            mbarrier_wait(&s->full[earlier.stage], earlier.parity);
            move_on(&earlier, STAGES);
        }
        t.first_value = items_before(tile, all) - ends;
        t.ends = (int)(split - ends);
        t.values = (int)(items_before(tile + 1, all) - items_before(tile, all)) - t.ends;
        ends = split;

        const long long last_value = t.first_value + t.values, last_end = t.first_end + t.ends;
        t.value = fill_part(d_in, t.first_value, last_value, n, s_stage, NULL, false, &bytes);
        const int behind = (t.value + t.values + 3) / 4 * 4;
        t.offset = behind + fill_part(d_offset, t.first_end, last_end + 1, segments + 1,
                                      s_stage + behind, NULL, false, &bytes);
        __syncwarp();
        if (lane == 0) {
            s->tile[at.stage] = t;
            mbarrier_arrive_expecting(&s->full[at.stage], bytes);
            fill_part(d_in, t.first_value, last_value, n, s_stage, &s->full[at.stage], true, NULL);
            fill_part(d_offset, t.first_end, last_end + 1, segments + 1, s_stage + behind,
                      &s->full[at.stage], true, NULL);
        }
    }
}

/* What adders leave open in a stage: those before `warp`, and all; do segments end there? */
typedef struct left_open {
    float before, all;
    bool any_before, any;
} left_open;

static __device__ __forceinline__ left_open open_behind(const sums_ring *s, int stage, int warp)
{
    const int lane = threadIdx.x % WARP;
    const bool there = lane < ADDERS, mine = lane < warp;
    const unsigned ends = __ballot_sync(ALL_LANES, there && s->any[stage][lane]),
                   ends_before = ends & ((1u << warp) - 1);
    const float open = there ? s->open[stage][lane] : 0.0f;
    const int start = ends ? 31 - __clz((int)ends) : 0,
              start_before = ends_before ? 31 - __clz((int)ends_before) : 0;
    float all = lane >= start ? open : 0.0f, before = mine && lane >= start_before ? open : 0.0f;

#pragma unroll
    for (int distance = 8; distance > 0; distance /= 2) { /* there are at most 16 */
        all += __shfl_xor_sync(ALL_LANES, all, distance);
        before += __shfl_xor_sync(ALL_LANES, before, distance);
    }
    return (left_open){ __shfl_sync(ALL_LANES, before, 0), __shfl_sync(ALL_LANES, all, 0),
                        ends_before != 0, ends != 0 };
}

#endif

#endif
