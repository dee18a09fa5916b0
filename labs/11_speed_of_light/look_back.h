/*
 * look_back.h: the look-back of lab 11: sums of many tiles, as they are published. For inclusion by
 * speed_of_light.cu, after inspect.
 */
#ifndef LOOK_BACK_H
#define LOOK_BACK_H

#include "descriptors.h"

/* A lane looks at so many descriptors at once: with more, 8-byte sums run out of registers. */
static __device__ __forceinline__ int looks(operation op) { return is_narrow(op) ? LOOKS : 5; }

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

#endif
