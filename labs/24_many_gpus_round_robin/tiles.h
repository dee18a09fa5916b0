/*
 * tiles.h: the kernel: blocks take their device's tiles by ticket, and scan them. Given, for
 * inclusion by many_gpus_round_robin.cu, after pass_on.
 *
 * Tickets rise, so a block that waits for tiles before its own waits for blocks that have begun, or
 * will begin without it: on its device all tiles before are taken, and on each other one the first
 * tile that is not done is with a block that runs, or the next to be taken.
 */
#ifndef TILES_H
#define TILES_H

#include "words.h"

enum {
    THREADS = ROUND_ROBIN_THREADS,
    PER_THREAD = ROUND_ROBIN_PER_THREAD,
    TILE = ROUND_ROBIN_TILE,
    WARPS = THREADS / WARP
};

typedef struct tile_room { /* shared memory of a block */
    unsigned item[TILE], warp[WARPS], before;
    int tile;
} tile_room;

static __host__ __device__ int tiles_of(int n) { return (n + TILE - 1) / TILE; }

/* The next tile of this device, the same for all threads of the block: those of tickets 0, 1, 2 are
   me, me + devices, me + 2 devices. */
static __device__ int take_tile(unsigned *d_ticket, const words *w, tile_room *s)
{
    __syncthreads(); /* all have read the last one */
    if (threadIdx.x == 0)
        s->tile = (int)atomicAdd(d_ticket, 1) * w->devices + w->me;
    __syncthreads();
    return s->tile;
}

/* Neighbouring threads load neighbouring elements; past the end there are zeros. */
static __device__ void load_tile(tile_room *s, const int *d_in, int count)
{
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        s->item[k] = k < count ? (unsigned)d_in[k] : 0;
    __syncthreads();
}

/* What the thread's elements come to, and those of all threads before; *all: of the block. */
static __device__ unsigned scan_block(tile_room *s, unsigned sum, unsigned *all)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned before = 0;

    for (int distance = 1; distance < WARP; distance *= 2) {
        const unsigned left = __shfl_up_sync(ALL_LANES, sum, distance);
        if (lane >= distance)
            sum += left;
    }
    if (lane == WARP - 1)
        s->warp[warp] = sum;
    __syncthreads();
    *all = 0;
    for (int k = 0; k < WARPS; k++) {
        before += k < warp ? s->warp[k] : 0;
        *all += s->warp[k];
    }
    return before + sum;
}

__global__ void __launch_bounds__(THREADS)
    scan_dealt(const int *d_in, int *d_out, int n, unsigned *d_ticket, words w)
{
    __shared__ tile_room s;

    for (int tile = take_tile(d_ticket, &w, &s); tile < w.tiles;
         tile = take_tile(d_ticket, &w, &s)) {
        const int first = tile / w.devices * TILE; /* in this device's memory */
        const int count = n - tile * TILE < TILE ? n - tile * TILE : TILE;
        unsigned *mine = s.item + threadIdx.x * PER_THREAD, sum = 0, all;

        load_tile(&s, d_in + first, count);
        for (int k = 0; k < PER_THREAD; k++)
            sum = mine[k] += sum;
        const unsigned inclusive = scan_block(&s, sum, &all);
        if (threadIdx.x < WARP) {
            const unsigned before = pass_on(&w, tile, all);
            if (threadIdx.x == 0)
                s.before = before;
        }
        __syncthreads();
        for (int k = 0; k < PER_THREAD; k++)
            mine[k] += s.before + inclusive - sum;
        __syncthreads();
        for (int k = threadIdx.x; k < count; k += THREADS)
            d_out[first + k] = (int)s.item[k];
    }
}

#endif
