/*
 * board.h: one launch a device, and no host between: each sums its share, publishes its total on
 * the boards of the others, and scans from what its own board says of those before it. Given, for
 * inclusion by many_gpus.cu, after publish_total and sum_of_those_before.
 *
 * Work is taken by ticket: first all tiles to be summed, then all to be scanned. So whoever waits
 * for the totals of other devices has left nothing undone that others wait for.
 */
#ifndef BOARD_H
#define BOARD_H

#include "one_gpu.h"

typedef struct board_entry { /* in memory of the device that reads it; all zero at first */
    long long total;
    unsigned epoch; /* of the launch that has set total; launches count from 1 */
} board_entry;

/* of[d]: that of device d, MANY_DEVICES entries; entry k is what device k publishes */
typedef struct boards {
    board_entry *of[MANY_DEVICES];
} boards;

static __device__ void publish_total(const boards *b, int me, int devices, unsigned epoch,
                                     long long total);
static __device__ long long sum_of_those_before(const board_entry *d_board, int me, unsigned epoch);

/* A tile's sum; the device's last one publishes the total. */
static __device__ void reduce_tile(tile_room *s, const long long *d_in, int n, int tile,
                                   share_words *d_words, const boards *b, int me, int devices,
                                   unsigned epoch)
{
    const long long sum = sum_tile(s, d_in, n, tile);

    if (threadIdx.x > 0)
        return;
    atomicAdd(&d_words->total, (unsigned long long)sum);
    __threadfence();
    if (atomicAdd(&d_words->reduced, 1) + 1 == (unsigned)tiles_of(n)) {
        __threadfence();
        publish_total(b, me, devices, epoch, (long long)atomicAdd(&d_words->total, 0));
    }
}

__global__ void __launch_bounds__(THREADS)
    board_scan(const long long *d_in, long long *d_out, int n, share_words *d_words,
               tile_word *d_tiles, boards b, int me, int devices, unsigned epoch)
{
    __shared__ tile_room s;
    const int tiles = tiles_of(n);

    if (tiles == 0 && threadIdx.x == 0)
        publish_total(&b, me, devices, epoch, 0);
    for (int k = take_ticket(d_words, &s); k < 2 * tiles; k = take_ticket(d_words, &s)) {
        if (k < tiles) {
            reduce_tile(&s, d_in, n, k, d_words, &b, me, devices, epoch);
            continue;
        }
        load_tile(&s, d_in, n, k - tiles);
        if (threadIdx.x == 0)
            s.before = k > tiles ? prefix_before(d_tiles, k - tiles)
                                 : sum_of_those_before(b.of[me], me, epoch);
        finish_tile(&s, d_out, n, k - tiles, d_tiles);
    }
}

#endif
