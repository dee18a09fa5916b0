/*
 * tree.h: the lower levels of the tree of speed_of_light_same_bits.h, for warps: what a unit, a
 * tile and a row add up to; and the words by which blocks tell each other what tiles add up to.
 *
 * All lanes of a warp call each function together, unless it says otherwise. The operation is a
 * constant wherever they are used. reduce_warp of lab 11's rows.h is the butterfly B.
 */
#ifndef TREE_H
#define TREE_H

#include "../11_speed_of_light/bulk_copies.h"
#include "../11_speed_of_light/rows.h"
#include "speed_of_light_same_bits.h"

enum {
    TILE_BYTES = SAME_BITS_TILE_BYTES,
    GROUP = SAME_BITS_GROUP,
    UNIT_ROWS = 2,
    UNIT_BYTES = UNIT_ROWS * WARP * ROW_BYTES,
    UNITS = TILE_BYTES / UNIT_BYTES, /* of a tile: one a lane */
    COLUMN = GROUP / WARP,           /* tiles of a group that a lane adds up: rows of tiles */
    LOOKS = 6                        /* rows looked at at once: as many as lie between two tiles of
                                        a block on 132 multiprocessors */
};

/* ---- where things lie ------------------------------------------------------------------------ */

static __device__ __forceinline__ int tile_elements(operation op)
{
    return TILE_BYTES / element_bytes(op);
}

/* Elements of a tile: the last one may be short. */
static __device__ __forceinline__ int count_of(operation op, long long tile, long long n)
{
    const long long left = n - tile * tile_elements(op);

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

/* ---- sums ------------------------------------------------------------------------------------ */

/* The five steps: lane l gets v of lanes 0 to l, added up. */
static __device__ __forceinline__ value scan_warp(operation op, value v)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const value left = from_left(op, v, distance);
        if (lane >= distance)
            v = add(op, left, v);
    }
    return v;
}

/* What lane l has got from scan_warp, for all lanes; +0 for l = -1. */
static __device__ __forceinline__ value up_to_lane(operation op, value scanned, int l)
{
    const value v = from_lane(op, scanned, l < 0 ? 0 : l);

    return l < 0 ? 0 : v;
}

/* Four butterflies in the shuffles of six steps: in each of the first two, a lane gives away half
   of its values. Lane l gets that of v[l / 8]. */
static __device__ __forceinline__ value reduce_four(operation op, const value v[4])
{
    const bool upper = threadIdx.x & 16, odd = threadIdx.x & 8;
    const value even = add(op, upper ? v[2] : v[0], from_across(op, upper ? v[0] : v[2], 16)),
                other = add(op, upper ? v[3] : v[1], from_across(op, upper ? v[1] : v[3], 16));
    value sum = add(op, odd ? other : even, from_across(op, odd ? even : other, 8));

#pragma unroll
    for (int distance = 4; distance > 0; distance /= 2)
        sum = add(op, sum, from_across(op, sum, distance));
    return sum;
}

/* The elements of `rows` rows become the sums within each lane. left[r] is what the lanes before
   add up to in row r, all[r] the whole row. The rows go side by side: none waits for another's
   shuffles. */
static __device__ __forceinline__ void scan_lanes(operation op, const int rows,
                                                  value row[][MOST_PER_ROW], value *left,
                                                  value *all)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int r = 0; r < rows; r++) {
#pragma unroll
        for (int k = 1; k < MOST_PER_ROW && k < per_row(op); k++)
            row[r][k] = add(op, row[r][k - 1], row[r][k]);
        left[r] = row[r][per_row(op) - 1];
    }
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
#pragma unroll
        for (int r = 0; r < rows; r++) {
            const value other = from_left(op, left[r], distance);
            if (lane >= distance)
                left[r] = add(op, other, left[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < rows; r++) {
        all[r] = from_lane(op, left[r], WARP - 1);
        left[r] = from_left(op, left[r], 1);
    }
}

/* What lies before the row, and then what lies before the lane in it, is added to its elements. */
static __device__ __forceinline__ void finish_row(operation op, value before, value left,
                                                  value *row)
{
    add_to_row(op, threadIdx.x % WARP > 0 ? add(op, before, left) : before, row);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* In device memory. The state is three numbers: tickets drawn and blocks finished, both 0 before
   and after every launch, and how many launches there have been. Nothing clears the words between
   launches: one with another stamp counts as not written. Word t is T of tile t. */
typedef struct words {
    unsigned *state;
    unsigned long long *word; /* stamp above, 32 bits of a sum below; an 8-byte sum takes two */
    unsigned long long room;  /* words */
    unsigned stamp;           /* of this launch, never 0 */
} words;

enum { TICKETS, FINISHED, EPOCH };

/* Every warp that writes or looks at words calls it first. */
static __device__ __forceinline__ void open_epoch(words *w)
{
    w->stamp = *(volatile unsigned *)&w->state[EPOCH] + 1;
}

static __device__ __forceinline__ unsigned long long words_of(operation op, unsigned long long sums)
{
    return is_narrow(op) ? sums : 2 * sums;
}

static __device__ __forceinline__ unsigned long long stamped(words w, unsigned half)
{
    return (unsigned long long)w.stamp << 32 | half;
}

/* One thread calls it. Others may see the two words of an 8-byte sum at different times, and
   compare their stamps. */
static __device__ __forceinline__ void publish(operation op, words w, long long at, value sum)
{
    unsigned long long *word = &w.word[words_of(op, at)];

    if (is_narrow(op))
        *(volatile unsigned long long *)word = stamped(w, (unsigned)sum);
    else
        asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};"
                     :
                     : "l"(__cvta_generic_to_global(word)), "l"(stamped(w, (unsigned)sum)),
                       "l"(stamped(w, (unsigned)(sum >> 32)))
                     : "memory");
}

/* Has the sum been published in this launch? If so, it is in *sum. One thread calls it. */
static __device__ __forceinline__ bool inspect(operation op, words w, long long at, value *sum)
{
    const unsigned long long *word = &w.word[words_of(op, at)];
    unsigned long long low, high;

    if (is_narrow(op))
        high = low = *(const volatile unsigned long long *)word;
    else
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(__cvta_generic_to_global(word))
                     : "memory");
    if ((unsigned)(low >> 32) != w.stamp || (unsigned)(high >> 32) != w.stamp)
        return false;
    *sum = is_narrow(op) ? (unsigned)low : high << 32 | (unsigned)low;
    return true;
}

/* `times` threads of the launch call both, when their warps will look no more. How many have left
   before? The answer takes as long as a load: best asked early, and looked at late. */
static __device__ __forceinline__ unsigned leave_epoch(words w, unsigned times)
{
    return atomicInc(&w.state[FINISHED], times - 1);
}

/* The last of all raises the epoch for the next launch. It also clears a word that this launch has
   not used, another one each time: so no stamp grows so old that it comes again. */
static __device__ __forceinline__ void close_epoch(words w, unsigned gone, unsigned times,
                                                   unsigned long long used)
{
    if (gone != times - 1)
        return;
    if (w.stamp % w.room >= used)
        w.word[w.stamp % w.room] = 0;
    *(volatile unsigned *)&w.state[EPOCH] = w.stamp + 1 != 0 ? w.stamp : 0;
}

#endif
