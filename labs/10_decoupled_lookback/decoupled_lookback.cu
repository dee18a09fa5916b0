/*
 * Inclusive scan of a whole array in a single pass: decoupled look-back.
 *
 * Mapping   a block takes the next tile of 8192 elements by ticket; warp w owns elements 2048 w to
 *           2048 w + 2047 of it, in rows of 16 bytes a lane; warp 0 looks back, 32 tiles at a time
 * Bytes     each element read once and written once; a tile's descriptor costs 16 to 32 bytes more,
 *           a look at 32 of them 256
 * Work      about 3n combinations: within a thread's row, for the row, for the tile
 * Depth     look-back waits for aggregates only, never for a neighbour's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4
 *
 * One body serves all types. A value is the bits of an element, 4-byte types in the lower half. The
 * operation is a constant wherever the body is used, so that the compiler keeps the branch of that
 * type and, for 4-byte types, no upper half.
 */
#include <cuda_runtime.h>

#include "decoupled_lookback.h"

enum {
    THREADS = LOOKBACK_THREADS,
    TILE = LOOKBACK_TILE,
    ITEMS = TILE / THREADS,
    WARP = 32,
    WARPS = THREADS / WARP
};

/* Blocks that a multiprocessor shall hold. Each keeps its tile in registers, of which there are 256
   KiB. */
enum { RESIDENT_I32 = 5, RESIDENT_F32 = 6, RESIDENT_8 = 2 };

static const unsigned ALL_LANES = 0xffffffffu;
static const unsigned LAST_EPOCH = 0x3fffffffu;

typedef unsigned long long value;
typedef enum operation { SUM_I32, SUM_F32, SUM_I64, COMPOSE } operation;

/* What a tile has told about itself: X, A and P of the paper. */
typedef enum status { INVALID, AGGREGATE, PREFIX } status;

/* In device memory, and never cleared: what another launch has left is INVALID. */
typedef struct descriptors {
    unsigned *ticket;          /* tiles taken so far; 0 before and after every launch */
    unsigned long long *word;  /* of each tile, see word_of: epoch, status and, of a
                                           4-byte value, the value */
    value *aggregate, *prefix; /* of each tile: where an 8-byte value goes, a place for
                                           each status */
    unsigned epoch;            /* the number of this launch */
} descriptors;

/* Index of the first element of a tile. */
static __device__ long long first_element(long long tile)
{
    return 0; /* TODO 1: n may be far beyond 2^31, and so may this be */
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Do status and value fit into one word? */
static __device__ __forceinline__ bool is_packed(operation op)
{
    return op == SUM_I32 || op == SUM_F32;
}

static __device__ __forceinline__ value identity(operation op)
{
    return op == COMPOSE ? 1 : 0; /* x -> 1 x + 0 */
}

/* What `left` and then `right` come to. Maps keep a in the lower half, b in the upper. */
static __device__ __forceinline__ value combine(operation op, value left, value right)
{
    if (op == SUM_I32)
        return (unsigned)left + (unsigned)right;
    if (op == SUM_F32)
        return __float_as_uint(__uint_as_float((unsigned)left) + __uint_as_float((unsigned)right));
    if (op == SUM_I64)
        return left + right;
    unsigned a = (unsigned)right * (unsigned)left;
    unsigned b = (unsigned)right * (unsigned)(left >> 32) + (unsigned)(right >> 32);
    return (value)b << 32 | a;
}

/* The value of the lane `distance` further left or right, or of the lane `from`. All lanes of the
   warp take part. */
static __device__ __forceinline__ value from_left(operation op, value v, int distance)
{
    return is_packed(op) ? __shfl_up_sync(ALL_LANES, (unsigned)v, distance)
                         : __shfl_up_sync(ALL_LANES, v, distance);
}

static __device__ __forceinline__ value from_right(operation op, value v, int distance)
{
    return is_packed(op) ? __shfl_down_sync(ALL_LANES, (unsigned)v, distance)
                         : __shfl_down_sync(ALL_LANES, v, distance);
}

static __device__ __forceinline__ value from_lane(operation op, value v, int from)
{
    return is_packed(op) ? __shfl_sync(ALL_LANES, (unsigned)v, from)
                         : __shfl_sync(ALL_LANES, v, from);
}

/* ---- a tile: load, scan by warps, store ------------------------------------------------------ */

/* A lane has 16 bytes in each row of its warp: PER_ROW elements of ITEMS in all. */
static __device__ __forceinline__ int per_row(operation op) { return is_packed(op) ? 4 : 2; }

/* Index in its tile of the thread's element `item`, the first one of a row. */
static __device__ __forceinline__ int row_start(operation op, int item)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    return (warp * ITEMS + item) * WARP + lane * per_row(op);
}

static __device__ __forceinline__ value load_one(operation op, const void *d_in, long long i)
{
    return is_packed(op) ? ((const unsigned *)d_in)[i] : ((const value *)d_in)[i];
}

static __device__ __forceinline__ void store_one(operation op, void *d_out, long long i, value v)
{
    if (is_packed(op))
        ((unsigned *)d_out)[i] = (unsigned)v;
    else
        ((value *)d_out)[i] = v;
}

/* 16 bytes in one access, from element i on, a multiple of per_row(op). */
static __device__ __forceinline__ void load_row(operation op, const void *d_in, long long i,
                                                value *row)
{
    if (is_packed(op)) {
        uint4 bits = __ldg((const uint4 *)((const unsigned *)d_in + i));
        row[0] = bits.x;
        row[1] = bits.y;
        row[2] = bits.z;
        row[3] = bits.w;
    } else {
        ulonglong2 bits = __ldg((const ulonglong2 *)((const value *)d_in + i));
        row[0] = bits.x;
        row[1] = bits.y;
    }
}

static __device__ __forceinline__ void store_row(operation op, void *d_out, long long i,
                                                 const value *row)
{
    if (is_packed(op))
        *(uint4 *)((unsigned *)d_out + i) =
            make_uint4((unsigned)row[0], (unsigned)row[1], (unsigned)row[2], (unsigned)row[3]);
    else
        *(ulonglong2 *)((value *)d_out + i) = make_ulonglong2(row[0], row[1]);
    /* or clang shares its last store with the branch of store_items beside it */
    asm volatile("" : : : "memory");
}

/* Loads the thread's items of a tile that starts at element `first` and has `count` elements; the
   identity fills it up. */
static __device__ __forceinline__ void load_items(operation op, const void *d_in, long long first,
                                                  int count, value item[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i += per_row(op)) {
        int start = row_start(op, i);

        if (start + per_row(op) <= count)
            load_row(op, d_in, first + start, &item[i]);
        else
#pragma unroll
            for (int k = 0; k < per_row(op); k++)
                item[i + k] =
                    start + k < count ? load_one(op, d_in, first + start + k) : identity(op);
    }
}

/* Stores them, each with what lies before the warp's first element put before it. */
static __device__ __forceinline__ void store_items(operation op, void *d_out, long long first,
                                                   int count, value before, value item[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i += per_row(op)) {
        int start = row_start(op, i);

#pragma unroll
        for (int k = 0; k < per_row(op); k++)
            item[i + k] = combine(op, before, item[i + k]);
        if (start + per_row(op) <= count)
            store_row(op, d_out, first + start, &item[i]);
        else
#pragma unroll
            for (int k = 0; k < per_row(op); k++)
                if (start + k < count)
                    store_one(op, d_out, first + start + k, item[i + k]);
    }
}

/* Leaves in item the inclusive scan of the warp's elements, and returns the warp's total to all of
   its lanes. */
static __device__ __forceinline__ value scan_warp(operation op, value item[ITEMS])
{
    const int lane = threadIdx.x % WARP;
    value total = identity(op); /* of the rows so far */

#pragma unroll
    for (int i = 0; i < ITEMS; i += per_row(op)) {
#pragma unroll
        for (int k = 1; k < per_row(op); k++)
            item[i + k] = combine(op, item[i + k - 1], item[i + k]);

        value sum = item[i + per_row(op) - 1];
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            value left = from_left(op, sum, distance);
            if (lane >= distance)
                sum = combine(op, left, sum);
        }

        value left = from_left(op, sum, 1), before = lane > 0 ? combine(op, total, left) : total;
#pragma unroll
        for (int k = 0; k < per_row(op); k++)
            item[i + k] = combine(op, before, item[i + k]);
        total = combine(op, total, from_lane(op, sum, WARP - 1));
    }
    return total;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Upper half: 30 bits of epoch, 2 of status. Lower half: the bits of a 4-byte value, or nothing. */
static __device__ __forceinline__ unsigned long long word_of(descriptors d, status what,
                                                             unsigned lower)
{
    return (unsigned long long)(d.epoch << 2 | what) << 32 | lower;
}

static __device__ __forceinline__ status status_of(descriptors d, unsigned long long word)
{
    unsigned upper = (unsigned)(word >> 32);

    return upper >> 2 == d.epoch ? (status)(upper & 3) : INVALID;
}

/* Tells the other blocks v, a tile's aggregate or inclusive prefix. One thread calls it. */
static __device__ __forceinline__ void publish(operation op, descriptors d, long long tile,
                                               status what, value v)
{
    /* TODO 2: packed: one 8-byte store of word_of status and value, through a volatile pointer.
       Else: the value into the place of that status, and word_of the status, with nothing below it,
       into d.word[tile]. What must stand between the two? */
}

/* What the tile has published last. *v is set unless that is INVALID. */
static __device__ __forceinline__ status inspect(operation op, descriptors d, long long tile,
                                                 value *v)
{
    /* TODO 3: read d.word[tile] once, as volatile. status_of tells its status; the value is in its
       lower half, or in the place of that status: from when on may it be read? */
    *v = identity(op);
    return PREFIX;
}

/* What all tiles before `tile` come to. A whole warp calls it. *depth: how many tiles back the
   PREFIX was found. */
static __device__ __forceinline__ value look_back(operation op, descriptors d, long long tile,
                                                  int *depth)
{
    value before = identity(op);

    /* TODO 4: window by window of 32 tiles, lane 0 at the nearest and lane 31 at the farthest:
       each lane inspects its own tile until it is no longer INVALID; left of tile 0 lies the PREFIX
       of nothing; the warp finds the nearest PREFIX, and combines its value with all that lie
       nearer, the farther ones on the left; that goes to the left of `before`; with no PREFIX in
       it, the window moves on. */
    *depth = 0;
    return before;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static __device__ __forceinline__ void scan_tile(operation op, const void *d_in, void *d_out,
                                                 int *d_depth, descriptors d, long long n)
{
    __shared__ unsigned s_tile;
    __shared__ value s_total[WARPS]; /* of each warp's elements */
    __shared__ value s_before;       /* what all tiles before come to */
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    value item[ITEMS], aggregate = identity(op), before_warp = identity(op);

    /* TODO 5: take the next tile by ticket, once for the block. Blocks may start in any order: why
       is blockIdx.x not good enough when a block waits for the tiles before its own? atomicInc
       counts up to a limit and then begins at 0 again. */
    if (threadIdx.x == 0)
        s_tile = blockIdx.x;
    __syncthreads();

    const long long tile = s_tile, first = first_element(tile);
    const int count = n - first < TILE ? (int)(n - first) : TILE;

    load_items(op, d_in, first, count, item);
    value total = scan_warp(op, item);
    if (lane == 0)
        s_total[warp] = total;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = aggregate;
        aggregate = combine(op, aggregate, s_total[w]);
    }

    if (warp == 0) {
        value before = identity(op);
        int depth = 0;

        /* TODO 6: publish the aggregate, look back, publish the inclusive prefix. Who needs the
           first of them, and why does tile 0 not look back? */
        if (lane == 0) {
            s_before = before;
            d_depth[tile] = depth;
        }
    }
    __syncthreads();
    /* TODO 7: put what all tiles before come to before the warp's elements as well. On which
       side? */
    store_items(op, d_out, first, count, before_warp, item);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_I32)
    scan_i32(const int *d_in, int *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(SUM_I32, d_in, d_out, d_depth, d, n);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_F32)
    scan_f32(const float *d_in, float *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(SUM_F32, d_in, d_out, d_depth, d, n);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_8)
    scan_i64(const long long *d_in, long long *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(SUM_I64, d_in, d_out, d_depth, d, n);
}

__global__ void __launch_bounds__(THREADS, RESIDENT_8)
    scan_affine(const affine *d_in, affine *d_out, int *d_depth, descriptors d, long long n)
{
    scan_tile(COMPOSE, d_in, d_out, d_depth, d, n);
}

__global__ void tile_offsets(const long long *d_tile, long long *d_first, long long n)
{
    long long k = (long long)blockIdx.x * THREADS + threadIdx.x;

    if (k < n)
        d_first[k] = first_element(d_tile[k]);
}

/* ---- launches -------------------------------------------------------------------------------- */

static unsigned blocks(long long n, int per_block) { return (unsigned)((n - 1) / per_block + 1); }

/* Descriptors of so many tiles, in an epoch of their own. The memory is kept for the next call;
   more is taken where it does not do. It is cleared when it is new, and when the epochs run out.
   False if there is none. */
static bool open_descriptors(unsigned tiles, descriptors *d)
{
    static unsigned long long *d_memory; /* the ticket, the words, the aggregates, the
                                               prefixes */
    static size_t room;                  /* tiles */
    static unsigned epoch;

    if (tiles > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, (1 + 3 * (size_t)tiles) * sizeof *d_memory) !=
            cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = tiles;
        epoch = LAST_EPOCH;
    }
    if (epoch == LAST_EPOCH) {
        if (cudaMemsetAsync(d_memory, 0, (1 + room) * sizeof *d_memory) != cudaSuccess)
            return false;
        epoch = 0;
    }
    d->ticket = (unsigned *)d_memory;
    d->word = d_memory + 1;
    d->aggregate = d->word + room;
    d->prefix = d->aggregate + room;
    d->epoch = ++epoch;
    return true;
}

void lookback_i32(const int *d_in, int *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_i32<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_f32(const float *d_in, float *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_f32<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_i64(const long long *d_in, long long *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_i64<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_affine(const affine *d_in, affine *d_out, int *d_depth, long long n)
{
    descriptors d;

    if (n > 0 && open_descriptors(blocks(n, TILE), &d))
        scan_affine<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, d, n);
}

void lookback_tile_offsets(const long long *d_tile, long long *d_first, long long n)
{
    if (n > 0)
        tile_offsets<<<blocks(n, THREADS), THREADS>>>(d_tile, d_first, n);
}
