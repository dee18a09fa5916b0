/*
 * tile.h: a tile of lab 10 in the registers of its block: load, scan by warps, store.
 *
 * A thread holds ITEMS elements of the tile, in rows: a lane has 16 bytes in each row of its warp,
 * per_row(op) elements. Neighbouring lanes hold neighbouring elements of a row.
 *
 *     ask_for_tile    the tile comes to L2; nobody waits for it
 *     load_items      beyond the array's end the identity fills the tile up
 *     sum_warp        each warp learns its total, where the order does not matter
 *     scan_warp       each warp scans its own elements and learns their total
 *     store_items     puts one value before all elements of the warp, and stores them
 */
#ifndef TILE_H
#define TILE_H

#include "decoupled_lookback.h"
#include "operations.h"

enum {
    THREADS = LOOKBACK_THREADS,
    TILE = LOOKBACK_TILE,
    ITEMS = TILE / THREADS,
    WARPS = THREADS / WARP,
    TURNED = 16 /* rows that are scanned at a time through shared memory */
};

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

/* Asks for the lines of a tile of an array of n elements. */
static __device__ __forceinline__ void ask_for_tile(operation op, const void *d_in, long long tile,
                                                    long long n)
{
    const int size = is_packed(op) ? 4 : 8, line = 128 / size;

#pragma unroll
    for (int i = 0; i < TILE; i += THREADS * line) {
        const long long first = tile * TILE + i + threadIdx.x * line;
        if (first < n)
            asm volatile("prefetch.global.L2 [%0];"
                         :
                         : "l"(__cvta_generic_to_global((const char *)d_in + first * size)));
    }
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

/* The warp's total, for all of its lanes: a fifth of the work of scan_warp. */
static __device__ __forceinline__ value sum_warp(operation op, const value item[ITEMS])
{
    value part[4] = { identity(op), identity(op), identity(op), identity(op) };

#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        part[i % 4] = combine(op, part[i % 4], item[i]);
    value sum = combine(op, combine(op, part[0], part[1]), combine(op, part[2], part[3]));
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum = combine(op, sum, from_right(op, sum, distance));
    return from_lane(op, sum, 0);
}

/* Each row is scanned across the lanes, and starts from the total of the rows before it. */
static __device__ __forceinline__ value scan_by_shuffles(operation op, value item[ITEMS])
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

/* The same through shared memory, TURNED rows at a time: the lanes' sums of those rows lie there in
   the order of the array, and each lane scans neighbours, one after another. For values of 8 bytes,
   of which each takes two shuffles: the kernel takes half as many instructions. */
static __device__ __forceinline__ value scan_by_turning(operation op, value item[ITEMS])
{
    __shared__ value s_warp[WARPS][WARP * (TURNED + 1)]; /* a gap a lane: no bank conflicts */
    value *s_sum = s_warp[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    value total = identity(op); /* of the rows so far */

#pragma unroll
    for (int first = 0; first < ITEMS; first += TURNED * per_row(op)) {
        value sum[TURNED], all = identity(op);

#pragma unroll
        for (int row = 0; row < TURNED; row++) {
            value *mine = &item[first + row * per_row(op)];
            const int at = row * WARP + lane;
#pragma unroll
            for (int k = 1; k < per_row(op); k++)
                mine[k] = combine(op, mine[k - 1], mine[k]);
            s_sum[at + at / TURNED] = mine[per_row(op) - 1];
        }
        __syncwarp(); /* the other lanes' sums are there */

#pragma unroll
        for (int k = 0; k < TURNED; k++)
            sum[k] = s_sum[lane * (TURNED + 1) + k];
#pragma unroll
        for (int k = 0; k < TURNED; k++) {
            value left = all;
            all = combine(op, all, sum[k]);
            sum[k] = left;
        }
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            value left = from_left(op, all, distance);
            if (lane >= distance)
                all = combine(op, left, all);
        }
        value left = from_left(op, all, 1), before = lane > 0 ? combine(op, total, left) : total;
        total = combine(op, total, from_lane(op, all, WARP - 1));
#pragma unroll
        for (int k = 0; k < TURNED; k++)
            s_sum[lane * (TURNED + 1) + k] = combine(op, before, sum[k]);
        __syncwarp(); /* what lies before each sum is there */

#pragma unroll
        for (int row = 0; row < TURNED; row++) {
            value *mine = &item[first + row * per_row(op)];
            const int at = row * WARP + lane;
            before = s_sum[at + at / TURNED];
#pragma unroll
            for (int k = 0; k < per_row(op); k++)
                mine[k] = combine(op, before, mine[k]);
        }
        __syncwarp(); /* all have read it: the next rows' sums may come */
    }
    return total;
}

/* Leaves in item the inclusive scan of the warp's elements, and returns the warp's total to all of
   its lanes. */
static __device__ __forceinline__ value scan_warp(operation op, value item[ITEMS])
{
    return is_packed(op) ? scan_by_shuffles(op, item) : scan_by_turning(op, item);
}

#endif
