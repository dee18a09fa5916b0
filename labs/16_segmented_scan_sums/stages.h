/*
 * stages.h: how large everything in segmented_scan_sums.cu is, what the warps of a block
 * exchange, and the warps that are given: some find where the block's tiles begin, one loads them.
 *
 * Elements and ends of segments are one row of items: the end of segment s stands after the
 * segment's elements, as number d_offset[s + 1] + s. A tile is ITEMS of them, a share one or
 * SHARE tiles, side by side. So work is shared out equally, whatever the segments. Blocks take
 * shares by ticket, one after another: all blocks read in the same part of the array, and all end
 * at about the same time.
 */
#ifndef STAGES_H
#define STAGES_H

#include "../14_compaction_speed/ring.h"
#include "segmented_scan_sums.h"
#include "splits.h"

#ifdef SCANLAB_ENGINE
enum {
    ITEMS = SEGMENTED_SUMS_ENGINE_ITEMS,
    STAGES = 2,
    ADDERS = 4,
    MARKERS = 2,
    WRITERS = 2,
    SEARCHERS = 2,
    ROUNDS = 1,
    BROUGHT = 512
};
#else
enum {
    ITEMS = SEGMENTED_SUMS_ITEMS,
    STAGES = 4,
    ADDERS = 12,
    MARKERS = 4,
    WRITERS = 6,
    SEARCHERS = 3,
    ROUNDS = 8,     /* a block has so many shares, or each is of one tile */
    BROUGHT = 12288 /* items of a block that come to L2 while its first searches run */
};
#endif

enum {
    SHARE = 2,            /* tiles of a share, at most */
    GROUP = WARP / SHARE, /* lanes that look for a split together */
    SLOTS = 4,            /* shares of a block that may wait for those before them */
    /* of an adder's thread: seven times 16 bytes, an odd number, so that lanes which read together
       meet in no bank */
    EACH = SEGMENTED_SUMS_EACH,
    LINE = 32, /* elements of a line of device memory */
    MARKS_AT =
        (ITEMS + 4 * LINE) * 4, /* in a stage: a byte for each element, 1 where a segment ends */
    MARKS_BYTES = ADDERS * WARP * EACH,
    STAGE_BYTES = MARKS_AT + MARKS_BYTES,
    /* warps of a block, in this order: ADDERS, MARKERS, WRITERS, and these */
    FIRST_MARKER = ADDERS,
    FIRST_WRITER = FIRST_MARKER + MARKERS,
    FIRST_SEARCHER = FIRST_WRITER + WRITERS,
    FILLER = FIRST_SEARCHER + SEARCHERS,
    FINISHER,
    THREADS = (FINISHER + 1) * WARP
};

/* All tiles, and how they are cut into shares: `each` tiles side by side. */
typedef struct share_plan {
    unsigned tiles, each, shares;
} share_plan;

/* First tile of a share; that of a share past the last is past all tiles. */
static __device__ __forceinline__ unsigned first_tile(share_plan p, unsigned share)
{
    return share < p.shares ? share * p.each : p.tiles;
}

#if BULK_COPIES

/* A tile in its stage. Its elements begin at `value`, the offsets at `offset`: d_offset[first_end],
   the begin of the segment whose end is the tile's first. */
typedef struct tile_items {
    bool is_tile; /* false: there are no more */
    long long first_value;
    int values, ends; /* how many */
    int value, offset;
    long long first_end;
    unsigned share;         /* to which it belongs */
    bool is_first, is_last; /* of the share */
    long long share_value;  /* the share's first */
} tile_items;

/* What a search warp hands to the load warp. */
typedef struct share_items {
    unsigned share; /* NO_SHARE: there are no more */
    long long first_value;
    long long split[SHARE + 1]; /* ends before its tiles, and before the tile after them */
} share_items;

static const unsigned NO_SHARE = 0xffffffffu;

/* The segment that began before a share and ends in it; its sum as far as the share knows it. */
typedef struct begun_segment {
    unsigned share;
    long long segment; /* -1: there is none */
    float sum;
} begun_segment;

typedef struct sums_ring {
    mbarrier full[STAGES];    /* the load warp has filled it */
    mbarrier marked[STAGES];  /* last elements of segments are marked */
    mbarrier counted[STAGES]; /* the adders know the open sums at their ends */
    mbarrier summed[STAGES];  /* sums stand where the last elements stood */
    mbarrier empty[STAGES];   /* the writers have read it */
    mbarrier drawn[SEARCHERS], searched[SEARCHERS], taken[SEARCHERS];
    mbarrier written[SLOTS], finished[SLOTS]; /* shares */
    tile_items tile[STAGES];
    float open[STAGES][ADDERS]; /* at the end of each adder's elements */
    bool any[STAGES][ADDERS];   /* do they have a last element? */
    float before[STAGES];       /* open before the tile, in this share */
    share_items next[SEARCHERS];
    begun_segment begun[SLOTS];
} sums_ring;

/* Items before tile `tile`. */
static __device__ __forceinline__ long long items_before(long long tile, long long all)
{
    return tile * ITEMS < all ? tile * ITEMS : all;
}

/* While the first searches run, what the first shares will need comes to L2. So many threads of the
   block call it, the first ones. */
static __device__ __forceinline__ void bring_first(const void *d_from, long long each,
                                                   long long limit, int threads)
{
    const long long first = blockIdx.x * each, last = first + each < limit ? first + each : limit;

    for (long long i = first + (long long)threadIdx.x * LINE; i < last;
         i += (long long)threads * LINE)
        bring_to_l2((const unsigned *)d_from + i);
}

/* A search warp: takes shares, and finds how many ends lie before their tiles. The search warps
   take turns to draw, so that a block's shares rise. */
static __device__ __forceinline__ void search_shares(const int *d_offset, descriptors d,
                                                     long long n, long long segments, share_plan p,
                                                     sums_ring *s)
{
    const unsigned lane = threadIdx.x % WARP, own = threadIdx.x / WARP - FIRST_SEARCHER,
                   before = (own + SEARCHERS - 1) % SEARCHERS;
    const long long all = n + segments;
    share_items *next = &s->next[own];
    const double each = (double)segments / (double)all; /* ends an item, on average */
    long long known = 0, known_items = 0; /* ends, items up to this warp's share before */

    for (unsigned turn = 0;; turn++) {
        unsigned share = 0;

        if (own > 0 || turn > 0)
            mbarrier_wait(&s->drawn[before], (own > 0 ? turn : turn - 1) % 2);
        if (lane == 0)
            share = atomicInc(&d.state[TICKETS], p.shares + gridDim.x * SEARCHERS - 1);
        share = __shfl_sync(ALL_LANES, share, 0);
        warp_arrives(&s->drawn[own]);
        const unsigned begin = first_tile(p, share), tiles = first_tile(p, share + 1) - begin,
                       tile = lane / GROUP < tiles ? lane / GROUP + 1 : tiles;
        const long long items = items_before(begin, all), upto = items_before(begin + tile, all),
                        most = upto - items;
        long long first = 0, split = 0;

        if (tiles > 0) {
            first = ends_together(d_offset, items, known, segments,
                                  known + (long long)(each * (double)(items - known_items)), WARP);
            split = ends_together(d_offset, upto, first,
                                  first + most < segments ? first + most : segments,
                                  first + (long long)(each * (double)most), GROUP);
            known = __shfl_sync(ALL_LANES, split, WARP - 1);
            known_items = __shfl_sync(ALL_LANES, upto, WARP - 1);
        }
        mbarrier_wait(&s->taken[own], (turn + 1) % 2);
        if (lane == 0) {
            next->share = tiles > 0 ? share : NO_SHARE;
            next->first_value = items - first;
            next->split[0] = first;
        }
        if (lane % GROUP == 0)
            next->split[lane / GROUP + 1] = split;
        warp_arrives(&s->searched[own]);
        if (tiles == 0)
            return;
    }
}

/* Elements [first, last) of an array of `limit`. Bulk copies begin where a line does: one that
   began within a line would take one sector more of each. So element `first` comes to lie less
   than a line after s_to; returns at which place. Sends what bulk copies can bring, and counts the
   bytes, once for `send` false and once for true. */
static __device__ __forceinline__ int fill_part(const void *d_from, long long first, long long last,
                                                long long limit, unsigned *s_to, mbarrier *m,
                                                bool send, unsigned *bytes)
{
    const bool aligned = (unsigned long long)d_from % 16 == 0;
    const unsigned *d_all = (const unsigned *)d_from;
    const long long within = (long long)((unsigned long long)(d_all + first) / 4 % LINE),
                    line = within < first ? first - within : 0, begin = aligned ? line : first,
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

/* A tile's elements and offsets, to its stage; as fill_part. */
static __device__ __forceinline__ unsigned fill_tile(const float *d_in, const int *d_offset,
                                                     long long n, long long segments, tile_items *t,
                                                     unsigned char *s_data, mbarrier *full,
                                                     bool send)
{
    unsigned *s_stage = (unsigned *)s_data, bytes = 0;

    t->value =
        fill_part(d_in, t->first_value, t->first_value + t->values, n, s_stage, full, send, &bytes);
    const int after = (t->value + t->values + LINE - 1) / LINE * LINE;
    t->offset = after + fill_part(d_offset, t->first_end, t->first_end + t->ends + 1, segments + 1,
                                  s_stage + after, full, send, &bytes);
    return bytes;
}

/* The load warp. */
static __device__ __forceinline__ void fill_stages(const float *d_in, const int *d_offset,
                                                   long long n, long long segments, share_plan p,
                                                   sums_ring *s, unsigned char *s_data)
{
    const int lane = threadIdx.x % WARP;
    const long long all = n + segments;
    place at = { 0, 1 }, earlier = { 0, 0 };
    int filled = 0;

    for (int turn = 0;; turn++) {
        const share_items *next = &s->next[turn % SEARCHERS];

        mbarrier_wait(&s->searched[turn % SEARCHERS], turn / SEARCHERS % 2);
        const unsigned share = next->share;
        if (share == NO_SHARE)
            break;
        const unsigned begin = first_tile(p, share), end = first_tile(p, share + 1);
        for (unsigned tile = begin; tile < end; tile++, move_on(&at, STAGES)) {
            unsigned char *s_stage = s_data + at.stage * STAGE_BYTES;
            const long long first_end = next->split[tile - begin], items = items_before(tile, all);
            const int ends = (int)(next->split[tile - begin + 1] - first_end);
            tile_items t = { .is_tile = true,
                             .first_value = items - first_end,
                             .values = (int)(items_before(tile + 1, all) - items) - ends,
                             .ends = ends,
                             .first_end = first_end,
                             .share = share,
                             .is_first = tile == begin,
                             .is_last = tile == end - 1,
                             .share_value = next->first_value };

            mbarrier_wait(&s->empty[at.stage], at.parity);
            if (filled++ >= AHEAD) {
                mbarrier_wait(&s->full[earlier.stage], earlier.parity);
                move_on(&earlier, STAGES);
            }
            const unsigned bytes = fill_tile(d_in, d_offset, n, segments, &t, s_stage, NULL, false);
            __syncwarp();
            if (lane == 0) {
                s->tile[at.stage] = t;
                mbarrier_arrive_expecting(&s->full[at.stage], bytes);
                fill_tile(d_in, d_offset, n, segments, &t, s_stage, &s->full[at.stage], true);
            }
        }
        warp_arrives(&s->taken[turn % SEARCHERS]);
    }
    mbarrier_wait(&s->empty[at.stage], at.parity);
    if (lane == 0)
        s->tile[at.stage].is_tile = false;
    warp_arrives(&s->full[at.stage]);
}

/* What adders leave open in a stage: those before `warp`, and all; do segments end there? */
typedef struct left_open {
    float before, all;
    bool any_before, any;
} left_open;

static __device__ __forceinline__ left_open open_sums(const sums_ring *s, int stage, int warp)
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

/* The writers have a slot of s->begun for each of the last SLOTS shares: they open it before the
   share's first tile, and close it after the last one; after all shares they open one more, and
   close it with NO_SHARE. All their warps call both. */
static __device__ __forceinline__ begun_segment *open_slot(sums_ring *s, int turn)
{
    mbarrier_wait(&s->finished[turn % SLOTS], (turn / SLOTS + 1) % 2);
    return &s->begun[turn % SLOTS];
}

static __device__ __forceinline__ void close_slot(sums_ring *s, int turn, unsigned share)
{
    if (threadIdx.x == FIRST_WRITER * WARP)
        s->begun[turn % SLOTS].share = share;
    warp_arrives(&s->written[turn % SLOTS]);
}

#endif

#endif
