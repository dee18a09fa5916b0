/*
 * launches.h: the kernels of histogram_speed.cu, and the entries of histogram_speed.h. For
 * inclusion by that file, at its end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "tickets.h"
#include "vectors.h"

/* The block's counters become 0, and d_count does, by the block with the first ticket. Returns the
   number of the launch. The whole block calls it; s_ticket: two words. */
static __device__ __forceinline__ unsigned open_counters(unsigned *s_count, unsigned *s_ticket,
                                                         unsigned *d_count, launches *d_state)
{
    for (int i = threadIdx.x; i < BINS * WARP; i += blockDim.x)
        s_count[i] = 0;
    if (threadIdx.x == 0)
        s_ticket[0] = take_ticket(d_state, &s_ticket[1]);
    __syncthreads();
    const unsigned launch = s_ticket[1];
    if (s_ticket[0] == 0) {
        for (int b = threadIdx.x; b < BINS; b += blockDim.x)
            d_count[b] = 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *(volatile unsigned *)&d_state->cleared = launch + 1;
        }
    }
    return launch;
}

/* All of the block's pixels are counted, and d_count has been cleared. The whole block calls it. */
static __device__ __forceinline__ void close_counters(const launches *d_state, unsigned launch)
{
    if (threadIdx.x == 0) {
        while (*(const volatile unsigned *)&d_state->cleared != launch + 1)
            ;
        __threadfence();
    }
    __syncthreads();
}

/* each: pixels of a vector of 16 bytes */
#define DEFINE_HISTOGRAM(kind, type, each)                                                         \
    __global__ void __launch_bounds__(HISTOGRAM_BLOCK, HISTOGRAM_BLOCKS)                           \
        count_pixels_##kind(const type *d_in, unsigned *d_count, int n, launches *d_state)         \
    {                                                                                              \
        __shared__ unsigned s_count[BINS * WARP], s_ticket[2];                                     \
        const int vectors = n / each, i = blockIdx.x * blockDim.x + threadIdx.x;                   \
        uint4 v[AHEAD];                                                                            \
        load_vectors((const uint4 *)d_in, vectors, i, v); /* on their way meanwhile */             \
        const unsigned launch = open_counters(s_count, s_ticket, d_count, d_state);                \
        count_all(s_count, (const uint4 *)d_in, vectors, i, v, each == 16);                        \
        if (i < n - vectors * each)                                                                \
            count(s_count, d_in[vectors * each + i] >> (each == 16 ? 0 : 24));                     \
        close_counters(d_state, launch);                                                           \
        add_copies(s_count, d_count);                                                              \
    }                                                                                              \
    void histogram_speed_##kind(const type *d_in, unsigned *d_count, int n)                        \
    {                                                                                              \
        static int resident;                                                                       \
        const int most = resident_blocks((const void *)count_pixels_##kind, &resident),            \
                  wanted = parts_of(n / each + 1, HISTOGRAM_BLOCK),                                \
                  blocks = wanted < most ? wanted : most;                                          \
        launches *d_state;                                                                         \
        word *d_word;                                                                              \
        size_t room;                                                                               \
        if (most > 0 && open_state(0, &d_state, &d_word, &room))                                   \
            count_pixels_##kind<<<blocks, HISTOGRAM_BLOCK>>>(d_in, d_count, n, d_state);           \
    }

/* How many blocks of a histogram run at a time; 0: it cannot run. Asked once, kept in *blocks. */
static int resident_blocks(const void *kernel, int *blocks)
{
    int device, multiprocessors, each;

    if (*blocks > 0)
        return *blocks;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, HISTOGRAM_BLOCK, 0) !=
            cudaSuccess)
        return 0;
    return *blocks = multiprocessors * each;
}

DEFINE_HISTOGRAM(u8, unsigned char, 16)
DEFINE_HISTOGRAM(u32, unsigned, 4)

#endif
