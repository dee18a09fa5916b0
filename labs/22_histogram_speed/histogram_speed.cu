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
    /* TODO 1: 1 more in the copy of this lane: its counters lie 4 bytes times the lane after those
       of copy 0. Then count_word. */
    (void)s_count, (void)from;
}

static __device__ __forceinline__ void count(unsigned *s_count, unsigned bin)
{
    count_at(s_count, bin * WARP * 4);
}

/* A shift and a mask make 128 times the bin. bytes: four pixels; else one, of which the upper 8
   bits count. */
static __device__ __forceinline__ void count_word(unsigned *s_count, unsigned pixels, bool bytes)
{
    /* TODO 1: shift and mask the pixels' bins, and count them by count_at. */
    (void)s_count, (void)pixels, (void)bytes;
}

/* The block's share of the vectors. vector: the thread's first AHEAD, which have been loaded; the
   next ones are on their way while these are counted. */
static __device__ __forceinline__ void count_all(unsigned *s_count, const uint4 *d_in, int vectors,
                                                 int i, uint4 vector[AHEAD], bool bytes)
{
    /* TODO 2: count the four words of each vector that is there, i + k * step for k below AHEAD; on
       with the next AHEAD, loaded before these are counted. */
    (void)s_count, (void)d_in, (void)vectors, (void)i, (void)vector, (void)bytes;
}

/* Adds the 32 copies of each bin up, and that to d_count. Four threads a bin, eight copies each; in
   a warp's round all 32 banks are read. */
static __device__ __forceinline__ void add_copies(const unsigned *s_count, unsigned *d_count)
{
    /* TODO 3: a bin's 32 copies come to its count. No two lanes should read one bank at a time. */
    (void)s_count, (void)d_count;
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"
