/*
 * one_gpu.h: what one device does with its share: tiles by ticket, a chain from tile to tile (lab
 * 07), one launch. Given, for inclusion by many_gpus.cu.
 *
 *     reduce_share   the share's sum, into d_words->total
 *     scan_share     its inclusive scan, which begins with the sum of d_totals[0] to
 *                    d_totals[before - 1]; the last prefix into d_words->total
 *
 * A block that waits for a tile waits for a block that has begun before it, so it needs no other
 * block to be resident.
 */
#ifndef ONE_GPU_H
#define ONE_GPU_H

#include <cuda_runtime.h>

#include "many_gpus.h"

enum {
    THREADS = MANY_THREADS,
    PER_THREAD = MANY_PER_THREAD,
    TILE = MANY_TILE,
    WARPS = THREADS / 32,
    ALL_LANES = 0xffffffff
};

typedef struct tile_word { /* in memory; all zero at first */
    long long prefix;      /* up to the tile's last element */
    unsigned ready;        /* 1: it is there */
} tile_word;

typedef struct share_words { /* in memory of the share's device; all zero at first */
    unsigned long long total;
    unsigned ticket, reduced; /* pieces of work taken; tiles that are summed up */
} share_words;

typedef struct tile_room { /* shared memory of a block */
    long long item[TILE], warp[WARPS], before;
    int ticket;
} tile_room;

static __host__ __device__ int tiles_of(int n) { return (n + TILE - 1) / TILE; }

/* The next piece of work, the same for all threads of the block. */
static __device__ int take_ticket(share_words *d_words, tile_room *s)
{
    __syncthreads(); /* all have read the last one */
    if (threadIdx.x == 0)
        s->ticket = (int)atomicAdd(&d_words->ticket, 1);
    __syncthreads();
    return s->ticket;
}

/* Inclusive scan of one value a thread; *all: their sum. */
static __device__ long long scan_block(long long sum, tile_room *s, long long *all)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long before = 0;

    for (int distance = 1; distance < 32; distance *= 2) {
        const long long left = __shfl_up_sync(ALL_LANES, sum, distance);
        if (lane >= distance)
            sum += left;
    }
    if (lane == 31)
        s->warp[warp] = sum;
    __syncthreads();
    *all = 0;
    for (int w = 0; w < WARPS; w++) {
        before += w < warp ? s->warp[w] : 0;
        *all += s->warp[w];
    }
    __syncthreads(); /* all have read the warps' sums */
    return before + sum;
}

/* Neighbouring threads load neighbouring elements; past the end there are zeros. */
static __device__ void load_tile(tile_room *s, const long long *d_in, int n, int tile)
{
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        s->item[k] = tile * TILE + k < n ? d_in[tile * TILE + k] : 0;
    __syncthreads();
}

static __device__ long long sum_tile(tile_room *s, const long long *d_in, int n, int tile)
{
    long long sum = 0, all;

    for (int k = threadIdx.x; k < TILE; k += THREADS)
        sum += tile * TILE + k < n ? d_in[tile * TILE + k] : 0;
    (void)scan_block(sum, s, &all);
    return all;
}

/* Waits for the tile before; by one thread. */
static __device__ long long prefix_before(const tile_word *d_tiles, int tile)
{
    while (*(const volatile unsigned *)&d_tiles[tile - 1].ready == 0)
        ;
    __threadfence();
    return d_tiles[tile - 1].prefix;
}

static __device__ void publish_prefix(tile_word *d_tiles, int tile, long long prefix)
{
    d_tiles[tile].prefix = prefix;
    __threadfence();
    *(volatile unsigned *)&d_tiles[tile].ready = 1;
}

/* Scans the tile in shared memory, stores it behind s->before, and publishes its prefix. Thread 0
   has set s->before, and meets the others here. */
static __device__ void finish_tile(tile_room *s, long long *d_out, int n, int tile,
                                   tile_word *d_tiles)
{
    long long *mine = s->item + threadIdx.x * PER_THREAD, sum = 0, all;

    for (int k = 0; k < PER_THREAD; k++)
        sum = mine[k] += sum;
    const long long inclusive = scan_block(sum, s, &all), before = s->before + inclusive - sum;
    if (threadIdx.x == 0)
        publish_prefix(d_tiles, tile, s->before + all);
    for (int k = 0; k < PER_THREAD; k++)
        mine[k] += before;
    __syncthreads();
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        if (tile * TILE + k < n)
            d_out[tile * TILE + k] = s->item[k];
}

static __device__ long long sum_of(const long long *d_totals, int count)
{
    long long sum = 0;

    for (int d = 0; d < count; d++)
        sum += d_totals[d];
    return sum;
}

__global__ void __launch_bounds__(THREADS)
    reduce_share(const long long *d_in, int n, share_words *d_words)
{
    __shared__ tile_room s;

    for (int tile = take_ticket(d_words, &s); tile < tiles_of(n); tile = take_ticket(d_words, &s)) {
        const long long sum = sum_tile(&s, d_in, n, tile);
        if (threadIdx.x == 0)
            atomicAdd(&d_words->total, (unsigned long long)sum);
    }
}

__global__ void __launch_bounds__(THREADS)
    scan_share(const long long *d_in, long long *d_out, int n, share_words *d_words,
               tile_word *d_tiles, const long long *d_totals, int before)
{
    __shared__ tile_room s;

    for (int tile = take_ticket(d_words, &s); tile < tiles_of(n); tile = take_ticket(d_words, &s)) {
        load_tile(&s, d_in, n, tile);
        if (threadIdx.x == 0)
            s.before = tile > 0 ? prefix_before(d_tiles, tile) : sum_of(d_totals, before);
        finish_tile(&s, d_out, n, tile, d_tiles);
        if (threadIdx.x == 0 && tile + 1 == tiles_of(n))
            d_words->total = (unsigned long long)d_tiles[tile].prefix;
    }
}

/* Of a launch over a share; 0: there is nothing to do. */
static int blocks_for(int n) { return tiles_of(n) < MANY_BLOCKS ? tiles_of(n) : MANY_BLOCKS; }

#endif
