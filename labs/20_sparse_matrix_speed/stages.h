/*
 * stages.h: how large everything in sparse_matrix_speed.cu is, what the warps of a block
 * exchange, and the two warps that are given: one finds where the block's tiles begin, one loads
 * them.
 *
 * Nonzeros and ends of rows are one row of items: the end of row r stands after its nonzeros, as
 * number d_offset[r + 1] + r. A tile is ITEMS of them, a share SHARE tiles side by side. Blocks
 * take shares by ticket, one after another: all have the same size, but they do not take the same
 * time, as x may be in the cache or not.
 *
 * A stage goes through hands:
 *
 *     full          the load warp has filled it with offsets
 *     multiplied    it has products, and last nonzeros of rows are marked
 *     counted       the adders know the open sums at their ends
 *     summed        sums of rows stand where their last products stood
 *     empty         the writers have read it
 */
#ifndef STAGES_H
#define STAGES_H

#include "../14_compaction_speed/ring.h"
#include "../16_segmented_scan_sums/splits.h"
#include "sparse_matrix_speed.h"

#ifdef SCANLAB_ENGINE
enum {
    ITEMS = SPMV_SPEED_ENGINE_ITEMS,
    FEW = SPMV_SPEED_ENGINE_FEW,
    LONG_ROWS = 1536,
    STAGES = 3,
    SHARE = 2,
    MULTIPLIERS = 4,
    ADDERS = 2,
    WRITERS = 1
};
#else
enum {
    ITEMS = SPMV_SPEED_ITEMS,
    FEW = SPMV_SPEED_FEW,
    LONG_ROWS = 8192, /* nonzeros of a block's rows: a warp each up to here, the block all beyond */
    STAGES = 4,
    SHARE = 3,
    MULTIPLIERS = 20,
    ADDERS = 5,
    WRITERS = 4
};
#endif

enum {
    GROUP = 8,              /* lanes that look for a split together */
    SLOTS = 4,              /* shares of a block that may wait for those before them */
    EACH = SPMV_SPEED_EACH, /* an odd number of times 16 bytes: lanes read without bank conflicts */
    BATCH = 5,              /* nonzeros of a multiplying lane, whose x are on their way together */
    CHUNK = BATCH * WARP,   /* of a multiplying warp */
    MARKS_AT = (ITEMS + 16) * 4, /* in a stage: a byte for each nonzero, 1 where a row ends */
    MARKS_BYTES = ADDERS * WARP * EACH,
    STAGE_BYTES = MARKS_AT + MARKS_BYTES,
    /* warps of a block, in this order: ADDERS, MULTIPLIERS, WRITERS, and these */
    FIRST_MULTIPLIER = ADDERS,
    FIRST_WRITER = FIRST_MULTIPLIER + MULTIPLIERS,
    SEARCHER = FIRST_WRITER + WRITERS,
    FILLER,
    FINISHER,
    THREADS = (FINISHER + 1) * WARP,
    ROW_THREADS = 256, /* of a block whose warps take a row each */
    ROW_BATCH = 4,
    SECTOR = 8, /* elements of a sector of L2 */
    LINE = 32   /* and of a line */
};

typedef struct matrix {
    const float *d_value;
    const int *d_column, *d_offset;
    long long n, rows; /* nonzeros, rows */
} matrix;

static __host__ __device__ __forceinline__ unsigned tiles_of(matrix m)
{
    return (unsigned)((m.n + m.rows + ITEMS - 1) / ITEMS);
}

static __host__ __device__ __forceinline__ unsigned shares_of(matrix m)
{
    return (tiles_of(m) + SHARE - 1) / SHARE;
}

#if BULK_COPIES

/* A tile in its stage. Its products begin at 0, its offsets at `offset`, in elements:
   d_offset[first_end], the begin of the row whose end is the tile's first. */
typedef struct tile_items {
    bool is_tile; /* false: there are no more */
    long long first_value;
    int values, ends; /* how many */
    int offset;
    long long first_end;
    unsigned share;         /* to which it belongs */
    bool is_first, is_last; /* of the share */
    long long share_value;  /* the share's first */
} tile_items;

/* What the search warp hands to the load warp. */
typedef struct share_items {
    unsigned share; /* NO_SHARE: there are no more */
    long long first_value;
    long long split[SHARE + 1]; /* ends before its tiles, and before the tile after them */
} share_items;

static const unsigned NO_SHARE = 0xffffffffu;

/* The row that began before a share and ends in it, and its sum as far as the share knows it. */
typedef struct begun_row {
    unsigned share;
    long long row; /* -1: there is none */
    float sum;
} begun_row;

typedef struct spmv_ring {
    mbarrier full[STAGES], multiplied[STAGES], counted[STAGES], summed[STAGES], empty[STAGES];
    mbarrier searched[2], taken[2];           /* the search warp's halves */
    mbarrier written[SLOTS], finished[SLOTS]; /* shares */
    tile_items tile[STAGES];
    float open[STAGES][ADDERS]; /* at the end of each adder's nonzeros */
    bool any[STAGES][ADDERS];   /* does a row end among them? */
    float before[STAGES];       /* open before the tile, in this share */
    share_items next[2];
    begun_row begun[SLOTS];
} spmv_ring;

/* Waits until the stage is full. False: there are no more tiles. */
static __device__ __forceinline__ bool items_at(spmv_ring *s, place at, tile_items *t)
{
    mbarrier_wait(&s->full[at.stage], at.parity);
    *t = s->tile[at.stage];
    return t->is_tile;
}

/* ---- the search warp ------------------------------------------------------------------------- */

/* Items before tile `tile`. */
static __device__ __forceinline__ long long items_before(long long tile, long long all)
{
    return tile * ITEMS < all ? tile * ITEMS : all;
}

/* Takes share after share, and finds how many ends lie before their tiles. */
static __device__ __forceinline__ void search_shares(matrix m, descriptors d, spmv_ring *s)
{
    const int lane = threadIdx.x % WARP, group = lane / GROUP,
              tile = group < SHARE ? group + 1 : SHARE; /* before which it looks for a split */
    const long long all = m.n + m.rows;
    const double each = (double)m.rows / (double)all; /* ends an item, on average */
    const unsigned shares = shares_of(m);
    long long known = 0, known_items = 0; /* ends, items up to the share before: shares rise */

    for (int turn = 0;; turn++) {
        share_items *next = &s->next[turn % 2];
        unsigned share = 0;

        if (lane == 0)
            share = atomicInc(&d.state[TICKETS], shares + gridDim.x - 1);
        share = __shfl_sync(ALL_LANES, share, 0);
        const bool is_share = share < shares;
        const long long begin = (long long)share * SHARE, items = items_before(begin, all),
                        upto = items_before(begin + tile, all), most = upto - items;
        long long first = 0, split = 0;

        if (is_share) {
            first = ends_together(m.d_offset, items, known, m.rows,
                                  known + (long long)(each * (double)(items - known_items)), WARP);
            split = ends_together(m.d_offset, upto, first,
                                  first + most < m.rows ? first + most : m.rows,
                                  first + (long long)(each * (double)most), GROUP);
            known = __shfl_sync(ALL_LANES, split, WARP - 1);
            known_items = __shfl_sync(ALL_LANES, upto, WARP - 1);
        }
        mbarrier_wait(&s->taken[turn % 2], (turn / 2 + 1) % 2);
        if (lane == 0) {
            next->share = is_share ? share : NO_SHARE;
            next->first_value = items - first;
            next->split[0] = first;
        }
        if (lane % GROUP == 0 && group < SHARE)
            next->split[tile] = split;
        warp_arrives(&s->searched[turn % 2]);
        if (!is_share)
            return;
    }
}

/* ---- the load warp --------------------------------------------------------------------------- */

/* Elements [first, last) of an array of `limit`, so that element `first` comes to lie at most 3
   after s_to; returns at which place. Sends what bulk copies can bring, and counts the bytes,
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
    } else if (bulk > begin) {
        bulk_load_once(s_to, d_all + begin, (unsigned)(bulk - begin) * 4, m);
    }
    return (int)(first - begin);
}

/* A tile's offsets, to its stage; as fill_part. */
static __device__ __forceinline__ unsigned fill_tile(matrix m, tile_items *t,
                                                     unsigned char *s_stage, mbarrier *full,
                                                     bool send)
{
    const int after = (t->values + 3) / 4 * 4;
    unsigned bytes = 0;

    t->offset = after + fill_part(m.d_offset, t->first_end, t->first_end + t->ends + 1, m.rows + 1,
                                  (unsigned *)s_stage + after, full, send, &bytes);
    return bytes;
}

static __device__ __forceinline__ void fill_stages(matrix m, spmv_ring *s, unsigned char *s_data)
{
    const int lane = threadIdx.x % WARP;
    const long long all = m.n + m.rows;
    place at = { 0, 1 }, earlier = { 0, 0 };
    int filled = 0;

    for (int turn = 0;; turn++) {
        const share_items *next = &s->next[turn % 2];

        mbarrier_wait(&s->searched[turn % 2], turn / 2 % 2);
        const unsigned share = next->share;
        if (share == NO_SHARE)
            break;
        const long long begin = (long long)share * SHARE,
                        end = begin + SHARE < tiles_of(m) ? begin + SHARE : tiles_of(m);
        for (long long tile = begin; tile < end; tile++, move_on(&at, STAGES)) {
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
            const unsigned bytes = fill_tile(m, &t, s_stage, NULL, false);
            __syncwarp();
            if (lane == 0) {
                s->tile[at.stage] = t;
                mbarrier_arrive_expecting(&s->full[at.stage], bytes);
                fill_tile(m, &t, s_stage, &s->full[at.stage], true);
            }
        }
        warp_arrives(&s->taken[turn % 2]);
    }
    mbarrier_wait(&s->empty[at.stage], at.parity);
    if (lane == 0)
        s->tile[at.stage].is_tile = false;
    warp_arrives(&s->full[at.stage]);
}

/* ---- adders and shares ----------------------------------------------------------------------- */

/* What adders leave open in a stage: those before `warp`, and all; do rows end there? */
typedef struct left_open {
    float before, all;
    bool any_before, any;
} left_open;

static __device__ __forceinline__ left_open open_sums(const spmv_ring *s, int stage, int warp)
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
static __device__ __forceinline__ begun_row *open_slot(spmv_ring *s, int turn)
{
    mbarrier_wait(&s->finished[turn % SLOTS], (turn / SLOTS + 1) % 2);
    return &s->begun[turn % SLOTS];
}

static __device__ __forceinline__ void close_slot(spmv_ring *s, int turn, unsigned share)
{
    if (threadIdx.x == FIRST_WRITER * WARP)
        s->begun[turn % SLOTS].share = share;
    warp_arrives(&s->written[turn % SLOTS]);
}

#endif

#endif
