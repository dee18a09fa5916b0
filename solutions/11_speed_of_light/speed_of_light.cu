/*
 * Inclusive scan of a whole array at the speed of memory: decoupled look-back, in one wave of
 * blocks or in blocks that stay.
 *
 * Mapping   arrays that fit on the chip: every block takes one piece, keeps it in registers or in
 *           shared memory, and asks all blocks before it at once. Others: as many blocks as the GPU
 *           holds take tile after tile. With bulk copies (sm_90) their warps have four trades: one
 *           loads, 8 reduce, one or two look back, 8 or 16 scan; a ring of tiles in shared memory
 *           and mbarriers lie between them. A lane owns 16 bytes in each of its warp's rows of 512
 *           bytes
 * Bytes     each element read once and written once; a tile's descriptor costs 8 (8-byte elements:
 *           16) bytes more, and as many for each one looked at
 * Work      about 3n additions: n for the aggregates, taken ahead, and 2n for the scans
 * Depth     a block waits for aggregates only, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4
 *
 * One body serves all types (rows.h). Older GPUs have another body for large arrays, in which all
 * warps do everything, a tile at a time.
 */
#include <cuda_runtime.h>

#include "bulk_copies.h"
#include "rows.h"
#include "speed_of_light.h"

#ifdef SCANLAB_ENGINE /* small blocks, and every path at sizes that it runs in a moment */
enum {
    TILE_BYTES = SPEED_ENGINE_TILE_BYTES,
    STAGES = 5,
    WARPS = 4,
    WAVE_WARPS = 2,
    SHARED_WARPS = 1,
    ALONE_BYTES = 512,
    BRISK_TILES = 3
};
static const long long REGISTER_BYTES = TILE_BYTES / 4, SHARED_BYTES = TILE_BYTES;
#else
enum {
    TILE_BYTES = SPEED_TILE_BYTES,
    STAGES = 6,
    WARPS = 8,
    WAVE_WARPS = 16,
    SHARED_WARPS = 32,
    ALONE_BYTES = 16384,
    BRISK_TILES = 24
};
/* whatever the blocks can hold */
static const long long REGISTER_BYTES = 1LL << 40, SHARED_BYTES = 1LL << 40;
#endif

enum {
    THREADS = WARPS * WARP, /* of a block on older GPUs */
    ROWS = TILE_BYTES / (THREADS * ROW_BYTES),
    AHEAD = 2,        /* tiles on their way at most, of a block */
    WAVE_ROWS = 16,   /* at most, of a warp that keeps them in registers */
    EARLY_ROWS = 2,   /* of them, scanned while other blocks' sums are on their
                                           way */
    SHARED_ROWS = 14, /* at most, of a warp that keeps them in shared memory:
                                           32 such warps fill an sm_90's */
    MORE_ROWS = 2,    /* then of each warp in registers */
    LOOKS = 8         /* descriptors a lane looks at in one go, at most */
};

static __device__ __forceinline__ int tile_elements(operation op)
{
    return TILE_BYTES / element_bytes(op);
}

static __device__ __forceinline__ int looks(operation op) { return is_narrow(op) ? LOOKS : 5; }

/* In device memory: where a tile tells its sum to the others. Nothing clears it between launches:
   what carries the stamp of another launch counts as not written. The state is three numbers:
   tickets drawn and blocks finished, both 0 before and after every launch, and how many launches
   there have been. */
typedef struct descriptors {
    unsigned *state;
    unsigned long long *word; /* of a tile: stamp in the upper half, 32 bits of its sum
                                           in the lower; 8-byte sums take two */
    unsigned long long room;  /* words */
    unsigned stamp;           /* of this launch, never 0 */
} descriptors;

enum { TICKETS, FINISHED, EPOCH };

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Every warp that looks at descriptors calls it first. */
static __device__ __forceinline__ void open_epoch(descriptors *d)
{
    d->stamp = *(volatile unsigned *)&d->state[EPOCH] + 1;
}

/* `times` threads of the launch call both, when their warps will look no more. How many have left
   before? The answer takes as long as a load: best asked early, and looked at late. */
static __device__ __forceinline__ unsigned leave_epoch(descriptors d, unsigned times)
{
    return atomicInc(&d.state[FINISHED], times - 1);
}

/* The last one raises the epoch for the next launch. It also clears a word that no tile of this
   launch has used, another one each time: so no stamp grows so old that it comes round again. */
static __device__ __forceinline__ void close_epoch(descriptors d, unsigned gone, unsigned times,
                                                   unsigned long long used)
{
    if (gone != times - 1)
        return;
    if (d.stamp % d.room >= used)
        d.word[d.stamp % d.room] = 0;
    *(volatile unsigned *)&d.state[EPOCH] = d.stamp + 1 != 0 ? d.stamp : 0;
}

static __device__ __forceinline__ unsigned long long words_of(operation op,
                                                              unsigned long long tiles)
{
    return is_narrow(op) ? tiles : 2 * tiles;
}

static __device__ __forceinline__ unsigned long long stamped(descriptors d, unsigned half)
{
    return (unsigned long long)d.stamp << 32 | half;
}

/* Tells the other blocks the sum of a tile. One thread calls it. A word is written at once; the two
   of an 8-byte sum may be seen at different times, which their stamps betray. */
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

/* Has the tile told its sum in this launch? Then *sum is it, else left as it was. */
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

/* Sum of the tiles between `last` and `tile`, both left out. A whole warp calls it, and looks at
   looks(op) * 32 tiles at a time. */
static __device__ __forceinline__ value look_back(operation op, descriptors d, long long tile,
                                                  long long last)
{
    const int lane = threadIdx.x % WARP;
    value sum = 0;

    for (long long nearest = tile - 1; nearest > last; nearest -= looks(op) * WARP) {
        value v[LOOKS];
        bool seen[LOOKS], all;

#pragma unroll
        for (int k = 0; k < LOOKS && k < looks(op); k++) {
            seen[k] = nearest - k * WARP - lane <= last;
            v[k] = 0;
        }
        for (;;) {
#pragma unroll
            for (int k = 0; k < LOOKS && k < looks(op); k++)
                if (!seen[k])
                    seen[k] = inspect(op, d, nearest - k * WARP - lane, &v[k]);
            all = true;
#pragma unroll
            for (int k = 0; k < LOOKS && k < looks(op); k++)
                all = all && seen[k];
            if (__all_sync(ALL_LANES, all))
                break;
            __nanosleep(20); /* polls cost bandwidth too */
        }
#pragma unroll
        for (int k = 0; k < LOOKS && k < looks(op); k++)
            sum = add(op, sum, v[k]);
    }
    return reduce_warp(op, sum);
}

/* ---- one wave: a piece a block --------------------------------------------------------------- */

typedef struct wave {
    value total[WARP], part[WARP];
} wave;

/* Brings the words of the blocks before this one near, while the elements are on their way. */
static __device__ __forceinline__ void expect_others(operation op, descriptors *d)
{
    if (gridDim.x == 1)
        return;
    open_epoch(d);
    if (threadIdx.x <= blockIdx.x)
        asm volatile("prefetch.global.L2 [%0];"
                     :
                     : "l"(__cvta_generic_to_global(&d->word[words_of(op, threadIdx.x)])));
}

/* Tells the other blocks this one's sum, from the sums of its warps' elements. Returns what lies
   before the warp in the block. The whole block calls it. */
static __device__ __forceinline__ value tell_others(operation op, descriptors d, value sum, wave *s)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

    if (lane == 0)
        s->total[warp] = sum;
    __syncthreads();
    const value total = lane < warps ? s->total[lane] : 0;
    if (warp == 0 && gridDim.x > 1) {
        const value aggregate = reduce_warp(op, total);
        if (lane == 0)
            publish(op, d, blockIdx.x, aggregate);
    }
    return reduce_warp(op, lane < warp ? total : 0);
}

/* What lies before the block. The whole block calls it, and waits for the blocks before it, of
   which some may not have started: only a cooperative launch makes sure that all will. Thread 0
   learns how many blocks have left the epoch before. */
static __device__ __forceinline__ value ask_others(operation op, descriptors d, wave *s,
                                                   unsigned *gone)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    value others = 0;

    if (gridDim.x == 1)
        return 0;
    for (unsigned other = threadIdx.x; other < blockIdx.x; other += blockDim.x) {
        value v;
        while (!inspect(op, d, other, &v))
            ;
        others = add(op, others, v);
    }
    __syncwarp();
    others = reduce_warp(op, others);
    if (lane == 0)
        s->part[warp] = others;
    __syncthreads(); /* all have looked */
    if (threadIdx.x == 0)
        *gone = leave_epoch(d, gridDim.x);
    return reduce_warp(op, lane < warps ? s->part[lane] : 0);
}

/* Elements of the array that belong to this warp, if every warp has `most`. */
static __device__ __forceinline__ int share_of(long long first, int most, long long n)
{
    return first >= n ? 0 : n - first < most ? (int)(n - first) : most;
}

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
    unsigned gone; /* how many blocks have left the epoch before: thread 0
                                           knows */

#pragma unroll
    for (int r = 0; r < WAVE_ROWS && r < rows; r++)
        load_row(op, from, is_aligned(d_in), row_start(op, r), count, row[r]);
    expect_others(op, &d);
#pragma unroll
    for (int r = 0; r < WAVE_ROWS && r < rows; r++)
        sum = add(op, sum, sum_row(op, row[r]));
    value before = tell_others(op, d, reduce_warp(op, sum), &s), early = 0;
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

#ifdef BULK_COPIES

/* Each warp loads its rows by a bulk copy of its own, and waits for nobody else's; `more` rows
   behind them stay in registers. */
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
    value before = tell_others(op, d, reduce_warp(op, sum), &s);
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

/* ---- tiles by ticket ------------------------------------------------------------------------- */

/* Takes the next tile, or a number beyond the last one, once a block. The last of these makes the
   tickets 0 again. */
static __device__ __forceinline__ unsigned take_ticket(descriptors d, unsigned tiles)
{
    return atomicInc(&d.state[TICKETS], tiles + gridDim.x - 1);
}

static __device__ __forceinline__ int count_of(operation op, long long tile, long long n)
{
    return share_of(tile * tile_elements(op), tile_elements(op), n);
}

static __device__ __forceinline__ const unsigned char *source(const void *d_in, long long tile)
{
    return (const unsigned char *)d_in + tile * TILE_BYTES;
}

static __device__ __forceinline__ unsigned char *target(void *d_out, long long tile)
{
    return (unsigned char *)d_out + tile * TILE_BYTES;
}

/* Who works in a block of the ring, in this order: scanners, WARPS reducers, warps that look back,
   and the one that loads. STEADY takes tiles by ticket: best where there are many. BRISK has twice
   the scanners and look-back warps, and its tiles are dealt out in turn: a tile is sooner through
   the ring, which counts where a block gets no more than BRISK_TILES. */
typedef enum crew { STEADY, BRISK } crew;

enum { STEADY_THREADS = (2 * WARPS + 2) * WARP, BRISK_THREADS = (3 * WARPS + 3) * WARP };

#ifdef BULK_COPIES

static __device__ __forceinline__ int scanners_of(crew c) { return c == BRISK ? 2 * WARPS : WARPS; }

static __device__ __forceinline__ int lookers_of(crew c) { return c == BRISK ? 2 : 1; }

/* of a scanner's part */
static __device__ __forceinline__ int rows_of(crew c) { return c == BRISK ? ROWS / 2 : ROWS; }

/* A stage of the ring goes round through four hands: the load warp fills it, reducers add it up, a
   look-back warp finds what lies before it, scanners scan it and leave it empty. Each hand waits
   for the one before. */
typedef struct ring {
    mbarrier full[STAGES], reduced[STAGES], placed[STAGES], empty[STAGES];
    long long tile[STAGES];               /* NO_TILE: there are no more */
    long long previous[STAGES];           /* the block's tile before this one, or -1 */
    value total[STAGES][2 * WARPS];       /* of the part of each scanner */
    value before[STAGES], prefix[STAGES]; /* sums of all tiles before, and with this one */
} ring;

static const long long NO_TILE = -1;

/* A hand's place in the ring. The parity is that of the phase it waits for. */
typedef struct place {
    int stage;
    unsigned parity;
} place;

static __device__ __forceinline__ void move_on(place *p, int stages)
{
    p->stage += stages;
    if (p->stage >= STAGES) {
        p->stage -= STAGES;
        p->parity ^= 1;
    }
}

static __device__ __forceinline__ unsigned char *stage_data(unsigned char *s_data, int stage)
{
    return s_data + stage * TILE_BYTES;
}

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

/* Waits for a stage to be full; the tile in it. */
static __device__ __forceinline__ long long tile_at(ring *s, const place *at)
{
    mbarrier_wait(&s->full[at->stage], at->parity);
    return s->tile[at->stage];
}

/* Sum of the stage's parts before `part`, to all lanes of the warp. */
static __device__ __forceinline__ value totals_before(operation op, const ring *s, int stage,
                                                      int part)
{
    const int lane = threadIdx.x % WARP;
    const value total = lane < part ? s->total[stage][lane] : 0;

    /* whatever a lane arrives at next, the whole warp has read them */
    __syncwarp();
    return reduce_warp(op, total);
}

/* A reducer adds up the parts of one scanner or two; the first of them publishes the tile's sum. */
static __device__ void reduce_tiles(operation op, const crew c, descriptors d, long long n, ring *s,
                                    unsigned char *s_data)
{
    const int reducer = threadIdx.x / WARP - scanners_of(c), lane = threadIdx.x % WARP,
              parts = scanners_of(c) / WARPS;
    place at = { 0, 0 };
    long long tile;

    if (reducer == 0)
        open_epoch(&d);
    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1)) {
        const int count = count_of(op, tile, n);

#pragma unroll
        for (int part = reducer * parts; part < (reducer + 1) * parts; part++) {
            value row[MOST_PER_ROW], sum = 0;

#pragma unroll
            for (int r = 0; r < rows_of(c); r++) {
                load_row(op, stage_data(s_data, at.stage), true,
                         row_start(op, part * rows_of(c) + r), count, row);
                sum = add(op, sum, sum_row(op, row));
            }
            sum = reduce_warp(op, sum);
            if (lane == 0)
                s->total[at.stage][part] = sum;
        }
        __syncwarp(); /* the whole warp has read its rows */
        if (lane == 0)
            mbarrier_arrive(&s->reduced[at.stage]);
        if (reducer > 0)
            continue;
        mbarrier_wait(&s->reduced[at.stage], at.parity);
        const value sum = totals_before(op, s, at.stage, scanners_of(c));
        if (lane == 0) {
            publish(op, d, tile, sum);
            mbarrier_arrive(&s->empty[at.stage]); /* it has read the totals */
        }
    }
}

/* A warp that looks back: at every tile, or at every other one. What lies before the tile before,
   the block knows already. */
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

#else

/* Without bulk copies: THREADS threads scan one tile after the other in registers. */
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

/* ---- kernels --------------------------------------------------------------------------------- */

/* `pieces` is what the bodies call rows, or tiles. */
typedef void scan_kernel(const void *d_in, void *d_out, descriptors d, long long n,
                         unsigned pieces);

#define KERNEL(name, bound, call)                                                                  \
    __global__ void __launch_bounds__(bound, 1)                                                    \
        name(const void *d_in, void *d_out, descriptors d, long long n, unsigned pieces)           \
    {                                                                                              \
        (void)pieces;                                                                              \
        call;                                                                                      \
    }
#define KERNELS(type, op)                                                                          \
    KERNEL(wave_##type##_1, WAVE_WARPS *WARP, scan_in_registers(op, 1, d_in, d_out, d, n))         \
    KERNEL(wave_##type##_2, WAVE_WARPS *WARP, scan_in_registers(op, 2, d_in, d_out, d, n))         \
    KERNEL(wave_##type##_4, WAVE_WARPS *WARP, scan_in_registers(op, 4, d_in, d_out, d, n))         \
    KERNEL(wave_##type##_8, WAVE_WARPS *WARP, scan_in_registers(op, 8, d_in, d_out, d, n))         \
    KERNEL(wave_##type##_16, WAVE_WARPS *WARP,                                                     \
           scan_in_registers(op, WAVE_ROWS, d_in, d_out, d, n))                                    \
    KERNEL(wave_##type, 1024, scan_in_shared(op, (int)pieces, 0, d_in, d_out, d, n))               \
    KERNEL(wave_##type##_more, 1024,                                                               \
           scan_in_shared(op, (int)pieces, MORE_ROWS, d_in, d_out, d, n))                          \
    KERNEL(steady_##type, STEADY_THREADS, scan_tiles(op, STEADY, d_in, d_out, d, n, pieces))       \
    KERNEL(brisk_##type, BRISK_THREADS, scan_tiles(op, BRISK, d_in, d_out, d, n, pieces))          \
    static const kernels kernels_##type = { { wave_##type##_1, wave_##type##_2, wave_##type##_4,   \
                                              wave_##type##_8, wave_##type##_16 },                 \
                                            { wave_##type, wave_##type##_more },                   \
                                            { steady_##type, brisk_##type } };

typedef struct kernels {
    scan_kernel *registers[5], *shared[2], *ring[2];
} kernels;

KERNELS(i32, SUM_I32)
KERNELS(f32, SUM_F32)
KERNELS(i64, SUM_I64)

/* ---- launches -------------------------------------------------------------------------------- */

/* What the device can hold of one type's kernels: found out once. */
typedef struct limits {
    int multiprocessors, shared_rows, ring_blocks[2], ring_threads[2];
    size_t ring_shared;
} limits;

enum { STATE_BYTES = 128, FEWEST_WORDS = 2048 };

static bool has_bulk_copies(scan_kernel *kernel)
{
#ifdef SCANLAB_ENGINE
    (void)kernel;
    return true;
#else
    cudaFuncAttributes attributes;

    return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess &&
           attributes.binaryVersion >= 90;
#endif
}

/* How many blocks of a ring run at a time. */
static bool find_ring(const kernels *k, limits *most, crew c, int threads)
{
    int resident;

    if (cudaFuncSetAttribute(k->ring[c], cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)most->ring_shared) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k->ring[c], threads,
                                                      most->ring_shared) != cudaSuccess)
        return false;
    most->ring_threads[c] = threads;
    most->ring_blocks[c] = most->multiprocessors * resident;
    return resident > 0;
}

static bool find_limits(const kernels *k, limits *most)
{
    const bool bulk = has_bulk_copies(k->ring[STEADY]);
    int device, shared;

    most->ring_shared = bulk ? (size_t)STAGES * TILE_BYTES : 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most->multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess ||
        !find_ring(k, most, STEADY, bulk ? (int)STEADY_THREADS : (int)THREADS) ||
        (bulk && !find_ring(k, most, BRISK, BRISK_THREADS)))
        return false;
    /* 2048: what it has besides */
    const int row_bytes = SHARED_WARPS * WARP * ROW_BYTES, rows = (shared - 2048) / row_bytes;
    most->shared_rows = !bulk ? 0 : rows < SHARED_ROWS ? rows : SHARED_ROWS;
    for (int i = 0; i < 2 && bulk; i++)
        if (cudaFuncSetAttribute(k->shared[i], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most->shared_rows * row_bytes) != cudaSuccess)
            return false;
    return true;
}

static long long pieces_of(long long bytes, long long piece) { return (bytes - 1) / piece + 1; }

typedef struct shape {
    scan_kernel *kernel;
    long long blocks, threads, shared;
    unsigned pieces;
} shape;

static shape ring_shape(const kernels *k, const limits *most, crew c, long long bytes)
{
    const long long tiles = pieces_of(bytes, TILE_BYTES),
                    blocks = tiles < most->ring_blocks[c] ? tiles : most->ring_blocks[c];

    return (shape){ k->ring[c], blocks, most->ring_threads[c], (long long)most->ring_shared,
                    (unsigned)tiles };
}

/* One wave, if the array fits on the chip; a brisk ring, if it is a little larger. */
static bool find_together(const kernels *k, const limits *most, long long bytes, shape *as)
{
    const long long all = most->multiprocessors, row = WAVE_WARPS * WARP * ROW_BYTES,
                    shared_row = SHARED_WARPS * WARP * ROW_BYTES;

    if (bytes <= REGISTER_BYTES && bytes <= all * WAVE_ROWS * row) {
        int wide = 0; /* one row a warp: for half the multiprocessors at most.
                                           Then rather two rows than more blocks to ask */
        while (bytes > (bytes <= ALONE_BYTES ? 1 : wide == 0 ? all / 2 : all) * row << wide)
            wide++;
        const long long blocks = pieces_of(bytes, row << wide);
        *as =
            (shape){ k->registers[wide], blocks,
                     (blocks > 1 ? WAVE_WARPS : pieces_of(bytes, WARP * ROW_BYTES << wide)) * WARP,
                     0, 1u << wide };
    } else if (bytes <= SHARED_BYTES && most->shared_rows > 0 &&
               bytes <= all * (most->shared_rows + MORE_ROWS) * shared_row) {
        const long long rows = pieces_of(bytes, all * shared_row);
        const bool more = rows > most->shared_rows;
        const long long in_shared = more ? rows - MORE_ROWS : rows;
        *as = (shape){ k->shared[more], pieces_of(bytes, rows * shared_row), SHARED_WARPS * WARP,
                       in_shared * shared_row, (unsigned)in_shared };
    } else if (bytes <= (long long)BRISK_TILES * TILE_BYTES * most->ring_blocks[BRISK]) {
        *as = ring_shape(k, most, BRISK, bytes);
    } else {
        return false;
    }
    return true;
}

/* Blocks that wait for each other, without tickets: all of them run, or none. */
static cudaError_t launch_together(const shape *as, void **arguments, cudaStream_t stream)
{
    const dim3 grid((unsigned)as->blocks), block((unsigned)as->threads);

    return cudaLaunchCooperativeKernel((const void *)as->kernel, grid, block, arguments,
                                       (size_t)as->shared, stream);
}

static cudaError_t launch_alone(const shape *as, void **arguments, cudaStream_t stream)
{
    const dim3 grid((unsigned)as->blocks), block((unsigned)as->threads);

    return cudaLaunchKernel((const void *)as->kernel, grid, block, arguments, (size_t)as->shared,
                            stream);
}

static bool launch(const kernels *k, const limits *most, descriptors d, const void *d_in,
                   void *d_out, long long n, size_t size, cudaStream_t stream)
{
    const long long bytes = n * (long long)size;
    shape as;
    void *arguments[] = { &d_in, &d_out, &d, &n, &as.pieces };

    if (find_together(k, most, bytes, &as)) {
        const cudaError_t error = as.blocks > 1 ? launch_together(&as, arguments, stream)
                                                : launch_alone(&as, arguments, stream);
        if (error != cudaErrorCooperativeLaunchTooLarge)
            return error == cudaSuccess;
        /* less of the GPU is ours than we thought: by ticket, then */
        cudaGetLastError();
    }
    as = ring_shape(k, most, STEADY, bytes);
    return launch_alone(&as, arguments, stream) == cudaSuccess;
}

size_t speed_workspace_bytes(long long n, size_t size)
{
    const size_t words =
        n > 0 ? (size_t)pieces_of(n * (long long)size, TILE_BYTES) * (size / 4) : 0;

    return STATE_BYTES + 8 * (words < FEWEST_WORDS ? FEWEST_WORDS : words);
}

static bool scan(const kernels *k, limits *most, void *d_workspace, size_t room, const void *d_in,
                 void *d_out, long long n, size_t size, cudaStream_t stream)
{
    if (n <= 0)
        return true;
    if (room < speed_workspace_bytes(n, size) ||
        (most->multiprocessors == 0 && !find_limits(k, most)))
        return false;
    const descriptors d = { (unsigned *)d_workspace,
                            (unsigned long long *)((char *)d_workspace + STATE_BYTES),
                            (room - STATE_BYTES) / 8, 0 };
    return launch(k, most, d, d_in, d_out, n, size, stream);
}

/* The workspace of the entries that are given none. Null: there is no memory. */
static void *own_workspace(long long n, size_t size, size_t *room)
{
    static void *d_memory;
    static size_t bytes;
    const size_t needed = speed_workspace_bytes(n, size);

    if (needed > bytes) {
        cudaFree(d_memory);
        d_memory = NULL;
        bytes = 0;
        if (cudaMalloc(&d_memory, needed + needed / 2) != cudaSuccess)
            return NULL;
        if (cudaMemsetAsync(d_memory, 0, needed + needed / 2) != cudaSuccess)
            return NULL;
        bytes = needed + needed / 2;
    }
    *room = bytes;
    return d_memory;
}

static limits most_i32, most_f32, most_i64;

bool speed_i32_on(void *d_workspace, size_t room, const int *d_in, int *d_out, long long n,
                  cudaStream_t stream)
{
    return scan(&kernels_i32, &most_i32, d_workspace, room, d_in, d_out, n, sizeof *d_in, stream);
}

bool speed_f32_on(void *d_workspace, size_t room, const float *d_in, float *d_out, long long n,
                  cudaStream_t stream)
{
    return scan(&kernels_f32, &most_f32, d_workspace, room, d_in, d_out, n, sizeof *d_in, stream);
}

bool speed_i64_on(void *d_workspace, size_t room, const long long *d_in, long long *d_out,
                  long long n, cudaStream_t stream)
{
    return scan(&kernels_i64, &most_i64, d_workspace, room, d_in, d_out, n, sizeof *d_in, stream);
}

void speed_i32(const int *d_in, int *d_out, long long n)
{
    size_t room;
    void *d_workspace = own_workspace(n, sizeof *d_in, &room);

    if (d_workspace)
        speed_i32_on(d_workspace, room, d_in, d_out, n, 0);
}

void speed_f32(const float *d_in, float *d_out, long long n)
{
    size_t room;
    void *d_workspace = own_workspace(n, sizeof *d_in, &room);

    if (d_workspace)
        speed_f32_on(d_workspace, room, d_in, d_out, n, 0);
}

void speed_i64(const long long *d_in, long long *d_out, long long n)
{
    size_t room;
    void *d_workspace = own_workspace(n, sizeof *d_in, &room);

    if (d_workspace)
        speed_i64_on(d_workspace, room, d_in, d_out, n, 0);
}
