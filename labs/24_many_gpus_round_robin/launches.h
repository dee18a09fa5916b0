/*
 * launches.h: the entries of many_gpus_round_robin.h: they deal the tiles of d_in, launch on all
 * devices, and bring the results back. Given, for inclusion by many_gpus_round_robin.cu, at its
 * end.
 *
 * No error is looked for here: what fails leaves one for the caller (cudaGetLastError).
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "tiles.h"

typedef struct hand { /* what a device has, in its own memory */
    int *d_in, *d_out;
    unsigned *d_ticket;
    word *d_words;
} hand;

/* Each may use the memory of all others. Access that is enabled already comes back as an error that
   is none. */
static void open_peers(int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        for (int peer = 0; peer < devices; peer++)
            if (peer != d && cudaDeviceEnablePeerAccess(peer, 0) != cudaSuccess)
                (void)cudaGetLastError();
    }
}

static void wait_for_all(int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

/* How many elements tile t has. */
static int count_of(int n, int t) { return n - t * TILE < TILE ? n - t * TILE : TILE; }

/* How many devices take part. */
static int deal(hand *h, const int *d_in, int n)
{
    int there = 1;

    cudaGetDeviceCount(&there);
    const int devices = round_robin_devices(n) < there ? round_robin_devices(n) : there;
    const size_t room = (size_t)(tiles_of(n) / devices + 1) * TILE * sizeof *d_in;
    open_peers(devices);
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaMalloc((void **)&h[d].d_in, room);
        cudaMalloc((void **)&h[d].d_out, room);
        cudaMalloc((void **)&h[d].d_ticket, sizeof *h[d].d_ticket);
        cudaMalloc((void **)&h[d].d_words, tiles_of(n) * sizeof *h[d].d_words);
        cudaMemsetAsync(h[d].d_words, 0, tiles_of(n) * sizeof *h[d].d_words, 0);
    }
    for (int t = 0; t < tiles_of(n); t++)
        cudaMemcpyPeer(h[t % devices].d_in + t / devices * TILE, t % devices, d_in + t * TILE, 0,
                       count_of(n, t) * sizeof *d_in);
    wait_for_all(devices);
    return devices;
}

/* scan_dealt on all devices, as the epoch-th launch with these words; waits for all. Before the
   first one runs all devices have loaded the kernel, since they are asked about it: a launch that
   has to load it could wait for kernels that wait for it. */
static void launch_all(const hand *h, int n, int devices, unsigned epoch)
{
    words w = { { 0 }, 0, devices, tiles_of(n), epoch };
    cudaFuncAttributes kernel;

    for (int d = 0; d < devices; d++) {
        w.of[d] = h[d].d_words;
        cudaSetDevice(d);
        cudaMemsetAsync(h[d].d_ticket, 0, sizeof *h[d].d_ticket, 0);
        cudaFuncGetAttributes(&kernel, scan_dealt);
    }
    wait_for_all(devices);
    for (w.me = 0; w.me < devices; w.me++) {
        const int own = (tiles_of(n) - w.me + devices - 1) / devices;
        const int blocks = own < ROUND_ROBIN_BLOCKS ? own : ROUND_ROBIN_BLOCKS;
        cudaSetDevice(w.me);
        if (blocks > 0)
            scan_dealt<<<blocks, THREADS>>>(h[w.me].d_in, h[w.me].d_out, n, h[w.me].d_ticket, w);
    }
    wait_for_all(devices);
}

/* The results are on device 0, and nothing is left. */
static void gather(const hand *h, int devices, int *d_out, int n)
{
    for (int t = 0; t < tiles_of(n); t++)
        cudaMemcpyPeer(d_out + t * TILE, 0, h[t % devices].d_out + t / devices * TILE, t % devices,
                       count_of(n, t) * sizeof *d_out);
    wait_for_all(devices);
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaFree(h[d].d_in);
        cudaFree(h[d].d_out);
        cudaFree(h[d].d_ticket);
        cudaFree(h[d].d_words);
    }
    cudaSetDevice(0);
}

void round_robin(const int *d_in, int *d_out, int n)
{
    hand h[ROUND_ROBIN_DEVICES];

    if (n <= 0)
        return;
    const int devices = deal(h, d_in, n);
    launch_all(h, n, devices, 1);
    gather(h, devices, d_out, n);
}

/* The second scan's input is what the first one has made. All have ended before it begins: else a
   device could overwrite a word that another one has not read. */
void round_robin_again(const int *d_in, int *d_out, int n)
{
    hand h[ROUND_ROBIN_DEVICES];

    if (n <= 0)
        return;
    const int devices = deal(h, d_in, n);
    launch_all(h, n, devices, 1);
    for (int d = 0; d < devices; d++) {
        int *d_first = h[d].d_in;
        h[d].d_in = h[d].d_out;
        h[d].d_out = d_first;
    }
    launch_all(h, n, devices, 2);
    gather(h, devices, d_out, n);
}

#endif
