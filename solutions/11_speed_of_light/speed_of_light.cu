/*
 * Inclusive scan of a whole array at the speed of memory: decoupled look-back in persistent blocks that load ahead.
 *
 * Mapping   as many blocks as the GPU holds, each takes tile after tile by ticket. With bulk copies (sm_90) its warps have
 *           three trades: 8 compute, one looks back, one loads; a ring of tiles in shared memory and mbarriers lie between
 *           them. Lane l of a computing warp owns 16 bytes in each of the warp's rows of 512 bytes
 * Bytes     each element read once and written once; a tile's descriptor costs 16 (8-byte elements: 32) bytes more, and as
 *           many for each one looked at
 * Work      about 3n additions: n for the tiles' aggregates, taken ahead, and 2n for their scans
 * Depth     look-back waits for aggregates only; aggregates are published AHEAD tiles before they are scanned
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4
 *
 * One body serves all types. A value is the bits of an element, 4-byte types in the lower half. The operation is a constant
 * wherever the body is used. Older GPUs take the second body, in which all warps do everything, one tile at a time.
 */
#include <cuda_runtime.h>

#include "speed_of_light.h"

#if defined(SCANLAB_ENGINE) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900)
#define BULK_COPIES 1
#endif

#ifdef SCANLAB_ENGINE
enum { TILE_BYTES = SPEED_ENGINE_TILE_BYTES, STAGES = 5 };
#else
enum { TILE_BYTES = SPEED_TILE_BYTES, STAGES = 6 };
#endif

enum {
    WARP = 32,
    WARPS = 8,                          /* that compute */
    THREADS = WARPS * WARP,
    LOOK_BACK_WARP = WARPS,
    LOAD_WARP = WARPS + 1,
    RING_THREADS = THREADS + 2 * WARP,
    ROW_BYTES = 16,                     /* a lane's share of a row */
    ROWS = TILE_BYTES / (THREADS * ROW_BYTES),
    MOST_PER_ROW = ROW_BYTES / 4,       /* bounds of loops that clang unrolls before it knows the type: rows stay in registers */
    AHEAD = 2                           /* tiles whose aggregates are out before their turn; less than STAGES */
};

static const unsigned ALL_LANES = 0xffffffffu;
static const unsigned LAST_EPOCH = 0x3fffffffu;

typedef unsigned long long value;
typedef enum operation { SUM_I32, SUM_F32, SUM_I64 } operation;
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

/* Descriptors of all tiles, in device memory. Nothing clears them between launches: a word of an earlier epoch is INVALID. */
typedef struct descriptors {
    unsigned *ticket;                   /* 0 before and after every launch */
    unsigned long long *word;           /* stamp in the upper half, 32 bits of the value in the lower; 8-byte values take two */
    unsigned epoch;
} descriptors;

/* ---- operations ------------------------------------------------------------------------------------------------- */

static __device__ __forceinline__ bool is_narrow(operation op) { return op != SUM_I64; }

static __device__ __forceinline__ int element_bytes(operation op) { return is_narrow(op) ? 4 : 8; }

static __device__ __forceinline__ int tile_elements(operation op) { return TILE_BYTES / element_bytes(op); }

static __device__ __forceinline__ int per_row(operation op) { return ROW_BYTES / element_bytes(op); }

static __device__ __forceinline__ value add(operation op, value left, value right)
{
    if (op == SUM_I32)
        return (unsigned)left + (unsigned)right;
    if (op == SUM_F32)
        return __float_as_uint(__uint_as_float((unsigned)left) + __uint_as_float((unsigned)right));
    return left + right;
}

/* The value of the lane `distance` further left or right, or of the lane `from`. All lanes of the warp take part. */
static __device__ __forceinline__ value from_left(operation op, value v, int distance)
{
    return is_narrow(op) ? __shfl_up_sync(ALL_LANES, (unsigned)v, distance) : __shfl_up_sync(ALL_LANES, v, distance);
}

static __device__ __forceinline__ value from_right(operation op, value v, int distance)
{
    return is_narrow(op) ? __shfl_down_sync(ALL_LANES, (unsigned)v, distance) : __shfl_down_sync(ALL_LANES, v, distance);
}

static __device__ __forceinline__ value from_lane(operation op, value v, int from)
{
    return is_narrow(op) ? __shfl_sync(ALL_LANES, (unsigned)v, from) : __shfl_sync(ALL_LANES, v, from);
}

/* ---- a thread's elements of a tile: rows of 16 bytes ------------------------------------------------------------- */

static __device__ __forceinline__ bool is_aligned(const void *p)
{
    return (unsigned long long)p % ROW_BYTES == 0;
}

/* Index in the tile of the thread's first element in a row. */
static __device__ __forceinline__ int row_start(operation op, int row)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    return ((warp * ROWS + row) * WARP + lane) * per_row(op);
}

static __device__ __forceinline__ value element(operation op, const void *tile, int i)
{
    return is_narrow(op) ? ((const unsigned *)tile)[i] : ((const value *)tile)[i];
}

/* 16 bytes in one access; what lies beyond `count` elements counts as 0. */
static __device__ __forceinline__ void load_row(operation op, const void *tile, bool aligned, int start, int count, value *row)
{
    if (!aligned || start + per_row(op) > count) {
#pragma unroll
        for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
            row[k] = start + k < count ? element(op, tile, start + k) : 0;
    } else if (is_narrow(op)) {
        uint4 bits = *(const uint4 *)((const unsigned *)tile + start);
        asm volatile("" : : : "memory");        /* or clang shares its last load with the branch above */
        row[0] = bits.x;
        row[1] = bits.y;
        row[2] = bits.z;
        row[3] = bits.w;
    } else {
        ulonglong2 bits = *(const ulonglong2 *)((const value *)tile + start);
        asm volatile("" : : : "memory");
        row[0] = bits.x;
        row[1] = bits.y;
    }
}

/* The same way out, past the caches: nobody needs the sums again soon. */
static __device__ __forceinline__ void store_row(operation op, void *tile, bool aligned, int start, int count, const value *row)
{
    if (!aligned || start + per_row(op) > count) {
#pragma unroll
        for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
            if (start + k < count && is_narrow(op))
                ((unsigned *)tile)[start + k] = (unsigned)row[k];
            else if (start + k < count)
                ((value *)tile)[start + k] = row[k];
    } else if (is_narrow(op)) {
        __stcs((uint4 *)((unsigned *)tile + start), make_uint4((unsigned)row[0], (unsigned)row[1], (unsigned)row[2], (unsigned)row[3]));
    } else {
        __stcs((ulonglong2 *)((value *)tile + start), make_ulonglong2(row[0], row[1]));
    }
}

/* Sum of the values of a warp's lanes, in lane 0. */
static __device__ __forceinline__ value reduce_warp(operation op, value v)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        v = add(op, v, from_right(op, v, distance));
    return v;
}

/* One row of a warp: the sums from the warp's first element on, `before` first. Returns the last one to all lanes. */
static __device__ __forceinline__ value scan_row(operation op, value *row, value before)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int k = 1; k < MOST_PER_ROW && k < per_row(op); k++)
        row[k] = add(op, row[k - 1], row[k]);

    value sum = row[per_row(op) - 1];
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        value left = from_left(op, sum, distance);
        if (lane >= distance)
            sum = add(op, left, sum);
    }

    value left = from_left(op, sum, 1), mine = lane > 0 ? add(op, before, left) : before;
#pragma unroll
    for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
        row[k] = add(op, mine, row[k]);
    return add(op, before, from_lane(op, sum, WARP - 1));
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned long long stamped(descriptors d, status what, unsigned half)
{
    return (unsigned long long)(d.epoch << 2 | what) << 32 | half;
}

/* Tells the other blocks v, a tile's aggregate or inclusive prefix. One thread calls it. A word is written at once; the two of an
   8-byte value may be seen at different times, which their stamps betray. */
static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile, status what, value v)
{
    volatile unsigned long long *word = &d.word[is_narrow(op) ? tile : 2 * tile];

    word[0] = stamped(d, what, (unsigned)v);
    if (!is_narrow(op))
        word[1] = stamped(d, what, (unsigned)(v >> 32));
}

/* What the tile has published last in this epoch. *v is set unless that is INVALID. */
static __device__ __forceinline__ status inspect(operation op, descriptors d, long long tile, value *v)
{
    const volatile unsigned long long *word = &d.word[is_narrow(op) ? tile : 2 * tile];
    const unsigned long long low = word[0], high = is_narrow(op) ? low : word[1];
    const unsigned stamp = (unsigned)(low >> 32);

    if (stamp >> 2 != d.epoch || stamp != (unsigned)(high >> 32))
        return INVALID;
    *v = is_narrow(op) ? (unsigned)low : high << 32 | (unsigned)low;
    return (status)(stamp & 3);
}

/* The nearest tile to the left whose inclusive prefix this warp knows by itself: the block's last one. */
typedef struct known { long long tile; value prefix; } known;

/* Sum of all tiles before `tile`. A whole warp calls it, and looks at 32 tiles at a time: lane 0 at the nearest. */
static __device__ __forceinline__ value look_back(operation op, descriptors d, long long tile, known last)
{
    const int lane = threadIdx.x % WARP;
    value before = 0;

    for (long long nearest = tile - 1; ; nearest -= WARP) {
        const long long mine = nearest - lane;
        status seen = mine > last.tile ? INVALID : PREFIX;
        value v = last.prefix;

        for (;;) {
            if (seen == INVALID)
                seen = inspect(op, d, mine, &v);
            if (!__any_sync(ALL_LANES, seen == INVALID))
                break;
            __nanosleep(20);            /* polls cost bandwidth too */
        }

        const unsigned prefixes = __ballot_sync(ALL_LANES, seen == PREFIX);
        if (prefixes != 0 && lane >= __ffs((int)prefixes))
            v = 0;                      /* is in the nearest PREFIX already */
        before = add(op, from_lane(op, reduce_warp(op, v), 0), before);
        if (prefixes != 0)
            return before;
    }
}

/* Takes the next tile, or a number beyond the last one, once a block. The last of these makes the ticket 0 again. */
static __device__ __forceinline__ unsigned take_ticket(descriptors d, unsigned tiles)
{
    return atomicInc(d.ticket, tiles + gridDim.x - 1);
}

static __device__ __forceinline__ int count_of(operation op, long long tile, long long n)
{
    long long left = n - tile * tile_elements(op);

    return left < tile_elements(op) ? (int)left : tile_elements(op);
}

static __device__ __forceinline__ const unsigned char *source(const void *d_in, long long tile)
{
    return (const unsigned char *)d_in + tile * TILE_BYTES;
}

static __device__ __forceinline__ unsigned char *target(void *d_out, long long tile)
{
    return (unsigned char *)d_out + tile * TILE_BYTES;
}

#ifdef BULK_COPIES

/* ---- mbarriers and bulk copies: PTX ISA, "mbarrier", "cp.async.bulk" ------------------------------------------------ */

typedef unsigned long long mbarrier;

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void mbarrier_init(mbarrier *m, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(shared_address(m)), "r"(arrivals) : "memory");
}

/* What the thread has done before is there for those who wait for the phase. */
static __device__ __forceinline__ void mbarrier_arrive(mbarrier *m)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" : : "r"(shared_address(m)) : "memory");
}

/* An arrival; the phase lasts until so many bytes have been copied as well. */
static __device__ __forceinline__ void mbarrier_arrive_expecting(mbarrier *m, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(shared_address(m)), "r"(bytes) : "memory");
}

/* Until the phase of this parity has ended; the first phase has parity 0, and the one before it, 1, has ended. */
static __device__ __forceinline__ void mbarrier_wait(mbarrier *m, unsigned parity)
{
    unsigned done;

    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(shared_address(m)), "r"(parity) : "memory");
    while (!done);
}

/* Both ends and the size are multiples of 16. */
static __device__ __forceinline__ void bulk_load(void *s_to, const void *d_from, unsigned bytes, mbarrier *m)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 : : "r"(shared_address(s_to)), "l"(__cvta_generic_to_global(d_from)), "r"(bytes), "r"(shared_address(m)) : "memory");
}

/* ---- the ring ------------------------------------------------------------------------------------------------------ */

/* A stage goes round through four hands: the load warp fills it, computing warps reduce it, the look-back warp finds what lies
   before it, computing warps scan it and leave it empty. Each hand waits for the one before. */
typedef struct ring {
    mbarrier full[STAGES], reduced[STAGES], placed[STAGES], empty[STAGES];
    long long tile[STAGES];             /* NO_TILE: there are no more */
    value total[STAGES][WARPS];         /* of each warp's elements */
    value before[STAGES];               /* sum of all tiles before */
} ring;

static const long long NO_TILE = -1;

/* A hand's place in the ring. The parity is that of the phase it waits for. */
typedef struct place { int stage; unsigned parity; } place;

static __device__ __forceinline__ void move_on(place *p)
{
    if (++p->stage == STAGES) {
        p->stage = 0;
        p->parity ^= 1;
    }
}

static __device__ __forceinline__ unsigned char *stage_data(unsigned char *s_data, int stage)
{
    return s_data + stage * TILE_BYTES;
}

/* Copies bytes [from, to) of a tile by ordinary loads: what bulk copies cannot take. The whole warp calls it. */
static __device__ void load_rest(unsigned char *s_to, const unsigned char *d_from, unsigned from, unsigned to)
{
    for (unsigned i = from / 4 + threadIdx.x % WARP; i < to / 4; i += WARP)
        ((unsigned *)s_to)[i] = ((const unsigned *)d_from)[i];
    __syncwarp();
}

static __device__ void load_tiles(operation op, const void *d_in, descriptors d, long long n, unsigned tiles, ring *s, unsigned char *s_data)
{
    const int lane = threadIdx.x % WARP;
    const bool aligned = is_aligned(d_in);
    place at = { 0, 1 };                /* every stage is empty at first */

    for (;; move_on(&at)) {
        unsigned ticket = 0;

        if (lane == 0)
            ticket = take_ticket(d, tiles);     /* on its way while the stage is waited for */
        mbarrier_wait(&s->empty[at.stage], at.parity);
        ticket = __shfl_sync(ALL_LANES, ticket, 0);
        if (ticket >= tiles)
            break;

        const unsigned bytes = (unsigned)(count_of(op, ticket, n) * element_bytes(op));
        const unsigned bulk = aligned ? bytes & ~15u : 0;
        unsigned char *s_tile = stage_data(s_data, at.stage);

        if (bulk < bytes)
            load_rest(s_tile, source(d_in, ticket), bulk, bytes);
        if (lane == 0) {
            s->tile[at.stage] = ticket;
            mbarrier_arrive_expecting(&s->full[at.stage], bulk);
            if (bulk > 0)
                bulk_load(s_tile, source(d_in, ticket), bulk, &s->full[at.stage]);
        }
    }
    if (lane == 0) {
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

/* Sum of the totals of the stage's warps before `warp`. */
static __device__ __forceinline__ value totals_before(operation op, const ring *s, int stage, int warp)
{
    value sum = 0;

#pragma unroll
    for (int w = 0; w < WARPS; w++)
        if (w < warp)
            sum = add(op, sum, s->total[stage][w]);
    return sum;
}

/* ---- computing warps ----------------------------------------------------------------------------------------------- */

/* The warp's total of the stage at `at`, for whoever looks back. False: there are no more tiles. */
static __device__ __forceinline__ bool reduce_stage(operation op, long long n, ring *s, unsigned char *s_data, place *at)
{
    const long long tile = tile_at(s, at);
    value row[MOST_PER_ROW], sum = 0;

    if (tile == NO_TILE)
        return false;
    const int count = count_of(op, tile, n);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        load_row(op, stage_data(s_data, at->stage), true, row_start(op, r), count, row);
#pragma unroll
        for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
            sum = add(op, sum, row[k]);
    }
    sum = reduce_warp(op, sum);
    if (threadIdx.x % WARP == 0) {
        s->total[at->stage][threadIdx.x / WARP] = sum;
        mbarrier_arrive(&s->reduced[at->stage]);
    }
    move_on(at);
    return true;
}

static __device__ __forceinline__ void scan_stage(operation op, void *d_out, long long n, ring *s, unsigned char *s_data, const place *at)
{
    const long long tile = s->tile[at->stage];
    const int count = count_of(op, tile, n);
    const bool aligned = is_aligned(d_out);
    value row[ROWS][MOST_PER_ROW];

#pragma unroll
    for (int r = 0; r < ROWS; r++)
        load_row(op, stage_data(s_data, at->stage), true, row_start(op, r), count, row[r]);
    mbarrier_wait(&s->placed[at->stage], at->parity);
    value before = add(op, s->before[at->stage], totals_before(op, s, at->stage, threadIdx.x / WARP));
    __syncwarp();                       /* the whole warp has read the stage */
    if (threadIdx.x % WARP == 0)
        mbarrier_arrive(&s->empty[at->stage]);

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        before = scan_row(op, row[r], before);
        store_row(op, target(d_out, tile), aligned, row_start(op, r), count, row[r]);
    }
}

static __device__ void compute(operation op, void *d_out, long long n, ring *s, unsigned char *s_data)
{
    place ahead = { 0, 0 }, at = { 0, 0 };
    bool more = true;

    for (int k = 0; k < AHEAD && more; k++)
        more = reduce_stage(op, n, s, s_data, &ahead);
    for (; ; move_on(&at)) {
        if (more)
            more = reduce_stage(op, n, s, s_data, &ahead);
        if (!more && at.stage == ahead.stage)
            return;
        scan_stage(op, d_out, n, s, s_data, &at);
    }
}

/* ---- the warp that looks back ---------------------------------------------------------------------------------------- */

/* Publishes the stage's aggregate. False: there are no more tiles. */
static __device__ __forceinline__ bool announce(operation op, descriptors d, ring *s, place *at)
{
    const long long tile = tile_at(s, at);

    if (tile == NO_TILE)
        return false;
    mbarrier_wait(&s->reduced[at->stage], at->parity);
    if (threadIdx.x % WARP == 0 && tile > 0)
        publish(op, d, tile, AGGREGATE, totals_before(op, s, at->stage, WARPS));
    move_on(at);
    return true;
}

static __device__ void place_tiles(operation op, descriptors d, ring *s)
{
    place ahead = { 0, 0 }, at = { 0, 0 };
    known last = { -1, 0 };
    bool more = true;

    for (int k = 0; k < AHEAD && more; k++)
        more = announce(op, d, s, &ahead);
    for (; ; move_on(&at)) {
        if (more)
            more = announce(op, d, s, &ahead);
        if (!more && at.stage == ahead.stage)
            return;

        const long long tile = s->tile[at.stage];
        const value before = look_back(op, d, tile, last);
        last.tile = tile;
        last.prefix = add(op, before, totals_before(op, s, at.stage, WARPS));
        if (threadIdx.x % WARP == 0) {
            publish(op, d, tile, PREFIX, last.prefix);
            s->before[at.stage] = before;
            mbarrier_arrive(&s->placed[at.stage]);
        }
    }
}

/* A block of RING_THREADS threads, with STAGES * TILE_BYTES bytes of dynamic shared memory. */
static __device__ __forceinline__ void scan_tiles(operation op, const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    extern __shared__ uint4 s_data[];
    __shared__ ring s;
    const int warp = threadIdx.x / WARP;

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(&s.full[stage], 1);
            mbarrier_init(&s.reduced[stage], WARPS);
            mbarrier_init(&s.placed[stage], 1);
            mbarrier_init(&s.empty[stage], WARPS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();    /* the only one: everything else is between trades */

    if (warp == LOAD_WARP)
        load_tiles(op, d_in, d, n, tiles, &s, (unsigned char *)s_data);
    else if (warp == LOOK_BACK_WARP)
        place_tiles(op, d, &s);
    else
        compute(op, d_out, n, &s, (unsigned char *)s_data);
}

#else

/* Without bulk copies: THREADS threads scan one tile after the other in registers. */
static __device__ __forceinline__ void scan_tiles(operation op, const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    __shared__ unsigned s_ticket;
    __shared__ value s_total[WARPS], s_before;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    known last = { -1, 0 };
    unsigned next = 0;

    if (threadIdx.x == 0)
        next = take_ticket(d, tiles);
    for (;;) {
        value row[ROWS][MOST_PER_ROW], sum = 0, before_warp = 0, aggregate = 0;

        if (threadIdx.x == 0) {
            s_ticket = next;
            if (next < tiles)
                next = take_ticket(d, tiles);   /* on its way while this tile is scanned */
        }
        __syncthreads();
        if (s_ticket >= tiles)
            return;

        const long long tile = s_ticket;
        const int count = count_of(op, tile, n);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            load_row(op, source(d_in, tile), is_aligned(d_in), row_start(op, r), count, row[r]);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            sum = scan_row(op, row[r], sum);
        if (lane == 0)
            s_total[warp] = sum;
        __syncthreads();
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            if (w == warp)
                before_warp = aggregate;
            aggregate = add(op, aggregate, s_total[w]);
        }

        if (warp == 0) {
            if (lane == 0 && tile > 0)
                publish(op, d, tile, AGGREGATE, aggregate);
            const value before = look_back(op, d, tile, last);
            last.tile = tile;
            last.prefix = add(op, before, aggregate);
            if (lane == 0) {
                publish(op, d, tile, PREFIX, last.prefix);
                s_before = before;
            }
        }
        __syncthreads();
        const value before = add(op, s_before, before_warp);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
#pragma unroll
            for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
                row[r][k] = add(op, before, row[r][k]);
            store_row(op, target(d_out, tile), is_aligned(d_out), row_start(op, r), count, row[r]);
        }
    }
}

#endif

/* ---- kernels and launches -------------------------------------------------------------------------------------------- */

typedef void scan_kernel(const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles);

__global__ void __launch_bounds__(RING_THREADS) scan_i32(const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    scan_tiles(SUM_I32, d_in, d_out, d, n, tiles);
}

__global__ void __launch_bounds__(RING_THREADS) scan_f32(const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    scan_tiles(SUM_F32, d_in, d_out, d, n, tiles);
}

__global__ void __launch_bounds__(RING_THREADS) scan_i64(const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    scan_tiles(SUM_I64, d_in, d_out, d, n, tiles);
}

/* How a kernel is launched: found out once. */
typedef struct shape { int blocks, threads; size_t shared; } shape;

static bool has_bulk_copies(scan_kernel *kernel)
{
#ifdef SCANLAB_ENGINE
    (void)kernel;
    return true;
#else
    cudaFuncAttributes attributes;

    return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess && attributes.binaryVersion >= 90;
#endif
}

static bool find_shape(scan_kernel *kernel, shape *as)
{
    int device, multiprocessors, resident;

    as->threads = has_bulk_copies(kernel) ? RING_THREADS : THREADS;
    as->shared = has_bulk_copies(kernel) ? (size_t)STAGES * TILE_BYTES : 0;
    if (cudaGetDevice(&device) != cudaSuccess
        || cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess
        || cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)as->shared) != cudaSuccess
        || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, as->threads, as->shared) != cudaSuccess)
        return false;
    as->blocks = multiprocessors * resident;
    return as->blocks > 0;
}

/* Descriptors of so many words, in an epoch of their own. They are cleared when there are too few, and when epochs run out. */
static bool open_epoch(size_t words, descriptors *d)
{
    static unsigned *d_memory;          /* the ticket, in 8 bytes, then the words */
    static size_t room;
    static unsigned epoch;

    if (words > room) {
        size_t more = words > 2 * room ? words : 2 * room;

        cudaFree(d_memory);
        d_memory = NULL;
        room = 0;
        if (cudaMalloc((void **)&d_memory, (1 + more) * sizeof *d->word) != cudaSuccess)
            return false;
        room = more;
        epoch = LAST_EPOCH;
    }
    if (epoch == LAST_EPOCH) {
        if (cudaMemsetAsync(d_memory, 0, (1 + room) * sizeof *d->word) != cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = d_memory;
    d->word = (unsigned long long *)d_memory + 1;
    d->epoch = ++epoch;
    return true;
}

static void launch(scan_kernel *kernel, shape *as, const void *d_in, void *d_out, long long n, size_t size)
{
    descriptors d;

    if (n <= 0 || (as->blocks == 0 && !find_shape(kernel, as)))
        return;
    const unsigned tiles = (unsigned)((n - 1) / (TILE_BYTES / (long long)size) + 1);
    const unsigned blocks = tiles < (unsigned)as->blocks ? tiles : (unsigned)as->blocks;
    if (open_epoch(tiles * (size / 4), &d))
        kernel<<<blocks, as->threads, as->shared>>>(d_in, d_out, d, n, tiles);
}

void speed_i32(const int *d_in, int *d_out, long long n)
{
    static shape as;

    launch(scan_i32, &as, d_in, d_out, n, sizeof *d_in);
}

void speed_f32(const float *d_in, float *d_out, long long n)
{
    static shape as;

    launch(scan_f32, &as, d_in, d_out, n, sizeof *d_in);
}

void speed_i64(const long long *d_in, long long *d_out, long long n)
{
    static shape as;

    launch(scan_i64, &as, d_in, d_out, n, sizeof *d_in);
}
