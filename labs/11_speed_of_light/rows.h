/*
 * rows.h: a warp's elements of lab 11, in rows of 512 bytes of which each lane has 16, and what is
 * done with them: load, store, add up, scan.
 *
 * One body serves int, float, long long and, in a bonus, double. A value is the bits of an element,
 * 4-byte types in the lower half; the operation is a constant wherever the functions are used, so
 * that nothing of it is left when they have been compiled. Rows are arrays of MOST_PER_ROW values,
 * of which an operation uses the first per_row(op). Unless said otherwise a function is one
 * thread's own; those that add up or scan a warp's values are called by all its lanes.
 */
#ifndef ROWS_H
#define ROWS_H

#include <cuda_runtime.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WARP_ADDS 1 /* redux.sync: the sum of a warp's integers in one instruction */
#endif

enum {
    WARP = 32,
    ROW_BYTES = 16, /* a lane's share of a row */
    /* bounds of loops that clang unrolls before it knows the type: rows stay in registers */
    MOST_PER_ROW = ROW_BYTES / 4
};

static const unsigned ALL_LANES = 0xffffffffu;

typedef unsigned long long value;
typedef enum operation { SUM_I32, SUM_F32, SUM_I64, SUM_F64 } operation;

/* ---- operations ------------------------------------------------------------------------------ */

static __device__ __forceinline__ bool is_narrow(operation op)
{
    return op == SUM_I32 || op == SUM_F32;
}

static __device__ __forceinline__ int element_bytes(operation op) { return is_narrow(op) ? 4 : 8; }

static __device__ __forceinline__ int per_row(operation op)
{
    return ROW_BYTES / element_bytes(op);
}

static __device__ __forceinline__ value add(operation op, value left, value right)
{
    if (op == SUM_I32)
        return (unsigned)left + (unsigned)right;
    if (op == SUM_F32)
        return __float_as_uint(__uint_as_float((unsigned)left) + __uint_as_float((unsigned)right));
    if (op == SUM_F64)
        return (value)__double_as_longlong(__longlong_as_double((long long)left) +
                                           __longlong_as_double((long long)right));
    return left + right;
}

/* The value of the lane `distance` further left, of the one whose number differs in the bit
   `distance`, or of the lane `from`. All lanes of the warp take part. */
static __device__ __forceinline__ value from_left(operation op, value v, int distance)
{
    return is_narrow(op) ? __shfl_up_sync(ALL_LANES, (unsigned)v, distance)
                         : __shfl_up_sync(ALL_LANES, v, distance);
}

static __device__ __forceinline__ value from_across(operation op, value v, int distance)
{
    return is_narrow(op) ? __shfl_xor_sync(ALL_LANES, (unsigned)v, distance)
                         : __shfl_xor_sync(ALL_LANES, v, distance);
}

static __device__ __forceinline__ value from_lane(operation op, value v, int from)
{
    return is_narrow(op) ? __shfl_sync(ALL_LANES, (unsigned)v, from)
                         : __shfl_sync(ALL_LANES, v, from);
}

/* ---- a thread's elements: rows of 16 bytes --------------------------------------------------- */

static __device__ __forceinline__ bool is_aligned(const void *p)
{
    return (unsigned long long)p % ROW_BYTES == 0;
}

/* Index of the lane's first element in a row, counted from row 0. */
static __device__ __forceinline__ int row_start(operation op, int row)
{
    return (row * WARP + (int)(threadIdx.x % WARP)) * per_row(op);
}

static __device__ __forceinline__ value element(operation op, const void *tile, int i)
{
    return is_narrow(op) ? ((const unsigned *)tile)[i] : ((const value *)tile)[i];
}

/* 16 bytes in one access; what lies beyond `count` elements counts as 0. */
static __device__ __forceinline__ void load_row(operation op, const void *tile, bool aligned,
                                                int start, int count, value *row)
{
    if (!aligned || start + per_row(op) > count) {
#pragma unroll
        for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
            row[k] = start + k < count ? element(op, tile, start + k) : 0;
    } else if (is_narrow(op)) {
        uint4 bits = *(const uint4 *)((const unsigned *)tile + start);
        /* or clang shares its last load with the branch above */
        asm volatile("" : : : "memory");
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

/* The same way out. */
static __device__ __forceinline__ void store_row(operation op, void *tile, bool aligned, int start,
                                                 int count, const value *row)
{
    if (!aligned || start + per_row(op) > count) {
#pragma unroll
        for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
            if (start + k < count && is_narrow(op))
                ((unsigned *)tile)[start + k] = (unsigned)row[k];
            else if (start + k < count)
                ((value *)tile)[start + k] = row[k];
    } else if (is_narrow(op)) {
        __stwb((uint4 *)((unsigned *)tile + start),
               make_uint4((unsigned)row[0], (unsigned)row[1], (unsigned)row[2], (unsigned)row[3]));
    } else {
        __stwb((ulonglong2 *)((value *)tile + start), make_ulonglong2(row[0], row[1]));
    }
}

/* Sum of a row's elements in this lane. */
static __device__ __forceinline__ value sum_row(operation op, const value *row)
{
    value sum = row[0];

#pragma unroll
    for (int k = 1; k < MOST_PER_ROW && k < per_row(op); k++)
        sum = add(op, sum, row[k]);
    return sum;
}

/* Sum of the values of a warp's lanes, in all of them. */
static __device__ __forceinline__ value reduce_warp(operation op, value v)
{
#ifdef WARP_ADDS
    if (op == SUM_I32)
        return __reduce_add_sync(ALL_LANES, (unsigned)v);
#endif
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        v = add(op, v, from_across(op, v, distance));
    return v;
}

static __device__ __forceinline__ void add_to_row(operation op, value before, value *row)
{
#pragma unroll
    for (int k = 0; k < MOST_PER_ROW && k < per_row(op); k++)
        row[k] = add(op, before, row[k]);
}

/* One row of a warp: the sums from the warp's first element on, `before` first. Returns the last
   one to all lanes. */
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

    value left = from_left(op, sum, 1);
    add_to_row(op, lane > 0 ? add(op, before, left) : before, row);
    return add(op, before, from_lane(op, sum, WARP - 1));
}

#endif
