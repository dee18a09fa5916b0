/*
 * Histograms at the speed of memory.
 *
 * Mapping   each lane of a warp counts in a copy of its own of each bin, in a bank of its own
 * Bytes     n pixels are read; a block adds its 256 counts
 * Work      one shared atomic a pixel
 *
 * Given: vectors.h, sizes and loads; tickets.h, memory of its own; launches.h, kernels and entries.
 */
#include <cuda_runtime.h>

#include "histogram_speed.h"
#include "vectors.h"

/* ---- counting -------------------------------------------------------------------------------- */

/* s_count has 32 copies of each bin, side by side: lane l counts in copy l, which lies in bank l,
   so that neither bins nor banks are shared inside a warp. from: 128 times the bin, in bytes. */
static __device__ __forceinline__ void count_at(unsigned *s_count, unsigned from)
{
    const unsigned lane = threadIdx.x % WARP;

    atomicAdd((unsigned *)((char *)s_count + (from | lane * 4)), 1u);
}

static __device__ __forceinline__ void count(unsigned *s_count, unsigned bin)
{
    count_at(s_count, bin * WARP * 4);
}

/* A shift and a mask make 128 times the bin. bytes: four pixels; else one, of which the upper 8
   bits count. */
static __device__ __forceinline__ void count_word(unsigned *s_count, unsigned pixels, bool bytes)
{
    enum { BIN = (BINS - 1) * WARP * 4 };

    if (bytes) {
        count_at(s_count, pixels << 7 & BIN);
        count_at(s_count, pixels >> 1 & BIN);
        count_at(s_count, pixels >> 9 & BIN);
    }
    count_at(s_count, pixels >> 17 & BIN);
}

/* The block's share of the vectors. vector: the thread's first AHEAD, which have been loaded; the
   next ones are on their way while these are counted. */
static __device__ __forceinline__ void count_all(unsigned *s_count, const uint4 *d_in, int vectors,
                                                 int i, uint4 vector[AHEAD], bool bytes)
{
    const int step = gridDim.x * blockDim.x;

    for (; i < vectors; i += AHEAD * step) {
        uint4 next[AHEAD];
        load_vectors(d_in, vectors, i + AHEAD * step, next);
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (i + k * step < vectors) {
                count_word(s_count, vector[k].x, bytes);
                count_word(s_count, vector[k].y, bytes);
                count_word(s_count, vector[k].z, bytes);
                count_word(s_count, vector[k].w, bytes);
            }
            vector[k] = next[k];
        }
    }
}

/* Adds the 32 copies of each bin up, and that to d_count. Four threads a bin, eight copies each; in
   a warp's round all 32 banks are read. */
static __device__ __forceinline__ void add_copies(const unsigned *s_count, unsigned *d_count)
{
    for (int i = threadIdx.x; i < 4 * BINS; i += blockDim.x) {
        const int b = i / 4, first = i % 4 * 8;
        unsigned sum = 0;
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += s_count[b * WARP + first + (b + k) % 8];
        sum += __shfl_xor_sync(ALL_LANES, sum, 1);
        sum += __shfl_xor_sync(ALL_LANES, sum, 2);
        if (i % 4 == 0 && sum > 0)
            atomicAdd(&d_count[b], sum);
    }
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"
