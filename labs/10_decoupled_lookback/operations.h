/*
 * operations.h: what lab 10 scans with: sums of int, float and long long, and the composition of
 * maps x -> a x + b, which does not commute.
 *
 * One body serves all types. A value is the bits of an element, 4-byte types in the lower half. The
 * operation is a constant wherever a function is used: the compiler keeps the branch of that type
 * and, for 4-byte types, no upper half.
 *
 *     combine, identity, commutes          left before right
 *     from_left, from_right, from_lane     a value of another lane; the whole warp calls them
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <cuda_runtime.h>

enum { WARP = 32 };

static const unsigned ALL_LANES = 0xffffffffu;

typedef unsigned long long value;
typedef enum operation { SUM_I32, SUM_F32, SUM_I64, COMPOSE } operation;

/* May the operands be taken in any order? */
static __device__ __forceinline__ bool commutes(operation op) { return op != COMPOSE; }

/* Do status and value fit into one word? */
static __device__ __forceinline__ bool is_packed(operation op)
{
    return op == SUM_I32 || op == SUM_F32;
}

/* Is the value published in two halves, each in a word with a status of its own? Maps could be,
   too: they show what it takes where a value does not fit beside its status. */
static __device__ __forceinline__ bool is_halved(operation op) { return op == SUM_I64; }

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

#endif
