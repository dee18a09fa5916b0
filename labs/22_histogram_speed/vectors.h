/*
 * vectors.h: sizes of lab 22's bonus, and pixels loaded 16 bytes at a time.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <cuda_runtime.h>

#include "histogram_speed.h"

enum {
    WARP = 32,
    BINS = HISTOGRAM_BINS,
    AHEAD = 2, /* vectors of 16 bytes that a thread counts while so many more are on their way */
#ifdef SCANLAB_ENGINE /* several blocks at sizes that it runs in a moment */
    HISTOGRAM_BLOCK = 256,
#else
    HISTOGRAM_BLOCK = 1024, /* threads */
#endif
/* blocks that a multiprocessor should have room for; it may hold 1024 or 1536 threads */
#if defined SCANLAB_ENGINE ||                                                                      \
    (defined __CUDA_ARCH__ && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100))
    HISTOGRAM_BLOCKS = 1
#else
    HISTOGRAM_BLOCKS = 2
#endif
};

static const unsigned ALL_LANES = 0xffffffffu;

static int parts_of(int n, int each) { return (n - 1) / each + 1; }

/* vector[k]: vector i + k steps, where there is one. Nobody needs it again. */
static __device__ __forceinline__ void load_vectors(const uint4 *d_in, int vectors, int i,
                                                    uint4 vector[AHEAD])
{
    const int step = gridDim.x * blockDim.x;

#pragma unroll
    for (int k = 0; k < AHEAD; k++)
        if (i + k * step < vectors)
            vector[k] = __ldcs(&d_in[i + k * step]);
}

#endif
