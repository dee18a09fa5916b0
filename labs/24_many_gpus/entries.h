/*
 * entries.h: the entries of many_gpus.h: they hand out shares of d_in, call what many_gpus.cu has,
 * and bring the results back. Given, for inclusion by that file, at its end.
 */
#if !defined ENTRIES_H && !defined LAB_WITHOUT_STEPS
#define ENTRIES_H

#include "shares.h"

static void *cleared(size_t bytes)
{
    void *d_p = NULL;

    cudaMalloc(&d_p, bytes);
    cudaMemsetAsync(d_p, 0, bytes, 0);
    return d_p;
}

/* How many devices take part. */
static int hand_out(share *s, const long long *d_in, int n)
{
    int there = 1;

    cudaGetDeviceCount(&there);
    const int devices = many_devices(n) < there ? many_devices(n) : there;
    open_peers(devices);
    for (int d = 0; d < devices; d++) {
        const int first = many_first(n, devices, d);
        void *d_mine = NULL;

        cudaSetDevice(d);
        s[d].n = many_first(n, devices, d + 1) - first;
        cudaMalloc(&d_mine, (s[d].n + 1) * sizeof *d_in);
        cudaMemcpyPeer(d_mine, d, d_in + first, 0, s[d].n * sizeof *d_in);
        s[d].d_in = (const long long *)d_mine;
        cudaMalloc((void **)&s[d].d_out, (s[d].n + 1) * sizeof *d_in);
        s[d].d_words = (share_words *)cleared(sizeof *s[d].d_words);
        s[d].d_tiles = (tile_word *)cleared((tiles_of(s[d].n) + 1) * sizeof *s[d].d_tiles);
        s[d].d_totals = (long long *)cleared(MANY_DEVICES * sizeof *s[d].d_totals);
        s[d].d_board = (board_entry *)cleared(MANY_DEVICES * sizeof *s[d].d_board);
    }
    wait_for_all(devices);
    return devices;
}

/* The results are on device 0, and nothing is left. */
static void bring_back(const share *s, int devices, long long *d_out, int n)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaMemcpyPeer(d_out + many_first(n, devices, d), 0, s[d].d_out, d, s[d].n * sizeof *d_out);
    }
    wait_for_all(devices);
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        cudaFree((void *)s[d].d_in);
        cudaFree(s[d].d_out);
        cudaFree(s[d].d_words);
        cudaFree(s[d].d_tiles);
        cudaFree(s[d].d_totals);
        cudaFree(s[d].d_board);
    }
    cudaSetDevice(0);
}

void many_fix_up(const long long *d_in, long long *d_out, int n)
{
    share s[MANY_DEVICES];

    if (n <= 0)
        return;
    const int devices = hand_out(s, d_in, n);
    fix_up(s, devices);
    bring_back(s, devices, d_out, n);
}

void many_seed_first(const long long *d_in, long long *d_out, int n)
{
    share s[MANY_DEVICES];

    if (n <= 0)
        return;
    const int devices = hand_out(s, d_in, n);
    seed_first(s, devices);
    bring_back(s, devices, d_out, n);
}

void many_board(const long long *d_in, long long *d_out, int n)
{
    share s[MANY_DEVICES];

    if (n <= 0)
        return;
    const int devices = hand_out(s, d_in, n);
    launch_boards(s, devices, 1);
    bring_back(s, devices, d_out, n);
}

/* The second scan's input is what the first one has made. Between the two all wait: else a device
   could publish its second total while others still wait for its first. */
void many_board_again(const long long *d_in, long long *d_out, int n)
{
    share s[MANY_DEVICES];

    if (n <= 0)
        return;
    const int devices = hand_out(s, d_in, n);
    launch_boards(s, devices, 1);
    wait_for_all(devices);
    clear_words(s, devices);
    for (int d = 0; d < devices; d++) {
        long long *d_first = (long long *)s[d].d_in;
        s[d].d_in = s[d].d_out;
        s[d].d_out = d_first;
    }
    launch_boards(s, devices, 2);
    bring_back(s, devices, d_out, n);
}

#endif
