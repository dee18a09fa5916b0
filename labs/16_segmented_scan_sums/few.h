/*
 * few.h: sums of few elements. There is no time to search before anything is loaded: each block
 * takes a tile of elements, and asks for them and for the offsets near the place where its first
 * end would lie if all segments were of one length. A segment that began before its tile needs what
 * the tiles before leave open. Blocks draw no tickets, so nothing promises that those tiles' blocks
 * have started: if a word is not there after some looks, the block adds up that tile again.
 */
#ifndef FEW_H
#define FEW_H

#include "stages.h"

#ifdef SCANLAB_ENGINE
enum {
    FEW = SEGMENTED_SUMS_ENGINE_FEW,
    FEW_MEAN = 4,
    FEW_THREADS = 64,
    FEW_EACH = 4,
    PATIENCE = 4
};
#else
enum {
    FEW = SEGMENTED_SUMS_FEW,
    FEW_MEAN = 32, /* elements of a segment, at least: many ends in one tile take their time */
    FEW_THREADS = 128,
    FEW_EACH = 12,
    PATIENCE = 1000 /* looks */
};
#endif

enum { FEW_TILE = FEW_THREADS * FEW_EACH, FEW_WARPS = FEW_THREADS / WARP };

/* Tiles of n elements; one if there are none. */
static int few_tiles(int n) { return n > 0 ? (n - 1) / FEW_TILE + 1 : 1; }

#if BULK_COPIES

/* Where a thread looks first: around the guess, the nearest places one by one, then further and
   further away. Places rise from thread to thread. */
static __device__ __forceinline__ int near_guess(int guess)
{
    enum { HALF = FEW_THREADS / 2, NEAR = HALF / 2, SAME = NEAR / 16 };
    const int thread = threadIdx.x, away = thread < HALF ? HALF - 1 - thread : thread - HALF,
              far = away < NEAR ? away : NEAR << (away - NEAR) / SAME;

    return thread < HALF ? guess - 1 - far : guess + far;
}

/* How many segments end at element `first` or before it. The thread has looked at `probe`, and
   found that this segment ends at `found`. The whole block calls it. */
static __device__ __forceinline__ int ends_up_to(const int *d_offset, int segments, int first,
                                                 int probe, int found)
{
    __shared__ int s_low, s_high;
    const int thread = threadIdx.x;
    int low = 0, high = segments; /* the answer lies in [low, high] */

    for (;;) {
        const bool ends = probe < low || (probe < high && found <= first);

        if (thread == 0) {
            s_low = low;
            s_high = high;
        }
        const int count = __syncthreads_count(ends); /* the first threads' */
        if (thread + 1 == count && probe >= low)
            s_low = probe + 1;
        if (thread == count && probe < high)
            s_high = probe;
        __syncthreads();
        low = s_low;
        high = s_high;
        if (low >= high)
            return low;
        probe = low + (high - low > FEW_THREADS ? (high - low) / FEW_THREADS * thread : thread);
        found = probe < high ? d_offset[probe + 1] : 0;
        __syncthreads(); /* all have read both ends */
    }
}

/* A thread's elements of the tile that begins at `first`; 0 past the array's end. */
static __device__ __forceinline__ void few_items(const float *d_in, int first, int n,
                                                 float item[FEW_EACH])
{
    const float *d_mine = d_in + first + threadIdx.x * FEW_EACH;
    const int there = n - first - (int)threadIdx.x * FEW_EACH;

    if (there >= FEW_EACH && (unsigned long long)d_in % 16 == 0) {
#pragma unroll
        for (int k = 0; k < FEW_EACH / 4; k++) {
            const float4 four = ((const float4 *)d_mine)[k];
            item[4 * k] = four.x;
            item[4 * k + 1] = four.y;
            item[4 * k + 2] = four.z;
            item[4 * k + 3] = four.w;
        }
    } else {
#pragma unroll
        for (int i = 0; i < FEW_EACH; i++)
            item[i] = i < there ? d_mine[i] : 0.0f;
    }
}

/* Puts the sum of each segment that ends in the tile where its last element stands, and publishes
   what stays open. The whole block calls it; marks as those of a stage. `looks`: the block will
   look at words of others. */
static __device__ __forceinline__ void add_few(descriptors d, const float item[FEW_EACH],
                                               const unsigned *s_mark, float *s_item, bool looks)
{
    __shared__ float s_open[FEW_WARPS];
    __shared__ bool s_any[FEW_WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    unsigned marks = 0;
    float open = 0.0f;

#pragma unroll
    for (int k = 0; k < FEW_EACH / 4; k++)
        marks |= (s_mark[threadIdx.x * (FEW_EACH / 4) + k] * 0x10204080u >> 28) << 4 * k;
#pragma unroll
    for (int i = 0; i < FEW_EACH; i++)
        open = marks >> i & 1 ? 0.0f : open + item[i];

    const unsigned lanes = __ballot_sync(ALL_LANES, marks != 0),
                   up_to_lane = lanes & ALL_LANES >> (WARP - 1 - lane);
    const int start = up_to_lane ? 31 - __clz((int)up_to_lane) : 0;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const float left = __shfl_up_sync(ALL_LANES, open, distance);
        if (lane - distance >= start)
            open += left;
    }
    float before = __shfl_up_sync(ALL_LANES, open, 1);
    if (lane == WARP - 1) {
        s_open[warp] = open;
        s_any[warp] = lanes != 0;
    }
    if (lane == 0)
        before = 0.0f;
    __syncthreads();
    float all = 0.0f;
    bool any = false;
#pragma unroll
    for (int w = 0; w < FEW_WARPS; w++) {
        if (w == warp && (lanes & ((1u << lane) - 1)) == 0) /* no end in the lanes before */
            before += all;
        all = s_any[w] ? s_open[w] : all + s_open[w];
        any = any || s_any[w];
    }
    if (threadIdx.x == FEW_THREADS - 1) {
        publish(d, blockIdx.x, any, __float_as_uint(all));
        if (!looks)
            close_epoch(d, gridDim.x); /* now: it takes as long as what is left */
    }
#pragma unroll
    for (int i = 0; i < FEW_EACH; i++) {
        before += item[i];
        if (marks >> i & 1) {
            s_item[threadIdx.x * FEW_EACH + i] = before;
            before = 0.0f;
        }
    }
}

/* The sum of elements `from` up to the block's tile, of one segment. The whole block calls it, each
   thread for tiles of its own. */
static __device__ __forceinline__ float few_before(descriptors d, const float *d_in, int from)
{
    __shared__ float s_sum[FEW_WARPS];
    const int oldest = from / FEW_TILE;
    float sum = 0.0f;

    for (int tile = (int)(blockIdx.x - 1 - threadIdx.x); tile >= oldest; tile -= FEW_THREADS) {
        unsigned long long word = 0;
        bool seen = false;

        for (int looks = 0; looks < PATIENCE && !seen; looks++) {
            word = *(const volatile unsigned long long *)&d.word[tile];
            seen = (unsigned)(word >> 33) == d.stamp >> 1;
        }
        if (seen)
            sum += __uint_as_float((unsigned)word);
        else
            for (int i = tile > oldest ? tile * FEW_TILE : from; i < (tile + 1) * FEW_TILE; i++)
                sum += d_in[i];
    }
    __syncwarp();
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    if (threadIdx.x % WARP == 0)
        s_sum[threadIdx.x / WARP] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int w = 0; w < FEW_WARPS; w++)
        sum += s_sum[w];
    return sum;
}

#endif

__global__ void __launch_bounds__(FEW_THREADS)
    sum_few(const float *d_in, const int *d_offset, float *d_sum, descriptors d, int n,
            int segments)
{
#if BULK_COPIES
    __shared__ float s_item[FEW_TILE];
    __shared__ unsigned s_mark[FEW_TILE / 4]; /* a byte for each element */
    const int first = (int)blockIdx.x * FEW_TILE,
              last = first + FEW_TILE < n ? first + FEW_TILE : n,
              probe = near_guess(first > 0 ? (int)((float)segments * (float)first / (float)n) : 0);
    const bool is_there = first > 0 && probe >= 0 && probe < segments;
    const int found = is_there ? d_offset[probe + 1] : 0; /* on its way before the elements */
    float item[FEW_EACH];

    open_epoch(&d);
    few_items(d_in, first, n, item);
    for (int k = threadIdx.x; k < FEW_TILE / 4; k += FEW_THREADS)
        s_mark[k] = 0;
    /* the first segment that ends after the tile's begin; the first tile has empty ones there */
    const int end = first > 0 ? ends_up_to(d_offset, segments, first, probe, found) : 0;
    __syncthreads();
    for (int e = end + threadIdx.x; e < segments && d_offset[e + 1] <= last; e += FEW_THREADS)
        if (d_offset[e + 1] > d_offset[e])
            ((unsigned char *)s_mark)[d_offset[e + 1] - 1 - first] = 1;
    /* the first one may have begun before the tile */
    const bool begun = end < segments && d_offset[end + 1] <= last && d_offset[end] < first;
    __syncthreads();
    add_few(d, item, s_mark, s_item, begun);
    __syncthreads();
    for (int e = end + threadIdx.x; e < segments && d_offset[e + 1] <= last; e += FEW_THREADS) {
        const int from = d_offset[e], to = d_offset[e + 1];

        if (from == to)
            d_sum[e] = 0.0f;
        else if (from >= first)
            d_sum[e] = s_item[to - 1 - first];
    }
    if (begun) {
        const float before = few_before(d, d_in, d_offset[end]);
        if (threadIdx.x == 0) {
            d_sum[end] = before + s_item[d_offset[end + 1] - 1 - first];
            close_epoch(d, gridDim.x);
        }
    }
#else
    __trap(); /* an error that the caller sees */
#endif
}

#endif
