/*
 * shares.h: shares of an array on several devices, and what the host does with them. Given, for
 * inclusion by many_gpus.cu.
 *
 * No error is looked for here: what fails leaves one for the caller (cudaGetLastError).
 */
#ifndef SHARES_H
#define SHARES_H

#include "board.h"

typedef struct share { /* in memory of its device */
    const long long *d_in;
    long long *d_out;
    int n;
    share_words *d_words; /* cleared */
    tile_word *d_tiles;   /* likewise */
    /* of all devices: what gather_totals has brought */
    long long *d_totals;
    board_entry *d_board; /* cleared */
} share;

/* Waits for all devices. */
static void wait_for_all(int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

/* An all-gather of one number: each device's d_words->total comes to all d_totals[device], behind
   the kernels that have been launched. Waits. NCCL's ncclAllGather does the same. */
static void gather_totals(const share *s, int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        for (int to = 0; to < devices; to++)
            cudaMemcpyPeerAsync(s[to].d_totals + d, to, &s[d].d_words->total, d, sizeof(long long),
                                0);
    }
    wait_for_all(devices);
}

/* Behind gather_totals: the words are as at first, for another kernel. */
static void clear_words(const share *s, int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaMemsetAsync(s[d].d_words, 0, sizeof *s[d].d_words, 0);
        cudaMemsetAsync(s[d].d_tiles, 0, (tiles_of(s[d].n) + 1) * sizeof *s[d].d_tiles, 0);
    }
}

/* board_scan on all devices, as the epoch-th launch with these boards. */
static void launch_boards(const share *s, int devices, unsigned epoch)
{
    boards b = { { 0 } };

    for (int d = 0; d < devices; d++)
        b.of[d] = s[d].d_board;
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        const int blocks = s[d].n > 0 ? blocks_for(s[d].n) : 1;
        board_scan<<<blocks, THREADS>>>(s[d].d_in, s[d].d_out, s[d].n, s[d].d_words, s[d].d_tiles,
                                        b, d, devices, epoch);
    }
}

#endif
