/*
 * keep_syncwarp.h: included in front of the solutions that run under compute-sanitizer. Every __syncwarp() becomes a barrier that racecheck sees.
 *
 * nvcc leaves a __syncwarp() out where it finds the warp together anyway. What it orders is then in order by itself, but racecheck, which looks at
 * the GPU's instructions, is not told: an mbarrier at which one lane arrives for its warp looks like a race of the others. Here it is a named
 * barrier of 32 threads. There are few of those; several warps can have one in common, since the arrival of one warp makes it whole.
 */
#ifndef KEEP_SYNCWARP_H
#define KEEP_SYNCWARP_H

#include <cuda_runtime.h>

static __device__ __forceinline__ void keep_syncwarp(void)
{
    asm volatile("bar.sync %0, 32;" : : "r"(8 + threadIdx.x / 32 % 8) : "memory");
}

#define __syncwarp() keep_syncwarp()

#endif
