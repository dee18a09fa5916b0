/*
 * many_gpus.h: the contract of lab 24, between many_gpus.cu and its callers.
 *
 * All entries make inclusive scans of n numbers of 64 bits: d_out[i] = d_in[0] + ... + d_in[i],
 * modulo 2^64. d_in and d_out are on device 0. many_devices(n) devices take part, or as many as
 * there are, each with a share of its own in its own memory: device d those from
 * many_first(n, devices, d) up to the next one's first. Shares differ in size, and some are empty.
 *
 * The entries are given, in shares.h: they hand out the shares, call one of the functions below,
 * and bring the results back to device 0. Launch on the default stream of each device, for which
 * their copies wait. Only what kernels read and write is counted.
 */
#ifndef MANY_GPUS_H
#define MANY_GPUS_H

enum {
    MANY_DEVICES = 8, /* at most */
    MANY_THREADS = 256,
    MANY_PER_THREAD = 4,
    MANY_TILE = MANY_THREADS * MANY_PER_THREAD,
    MANY_BLOCKS = 32 /* of a launch, at most: they take tiles by ticket */
};

#ifdef __cplusplus
extern "C" {
#endif

/* fix_up: each device scans its share, then adds what lies before it: 4n numbers moved. */
void many_fix_up(const long long *d_in, long long *d_out, int n);

/* seed_first: each device sums its share, then scans it from what lies before it: 3n. */
void many_seed_first(const long long *d_in, long long *d_out, int n);

/* board_scan with publish_total and sum_of_those_before: the same in one launch a device, 3n. */
void many_board(const long long *d_in, long long *d_out, int n);

/* The same twice, with the same boards: d_out is the scan of the scan. */
void many_board_again(const long long *d_in, long long *d_out, int n);

#ifdef __cplusplus
}
#endif

/* ---- who has what ---------------------------------------------------------------------------- */

/* From 1 to MANY_DEVICES. */
static inline int many_devices(int n) { return 1 + (int)((5ll * n + n / 7) % MANY_DEVICES); }

/* 0 to 4: how large a device's share is beside the others'. */
static inline int many_weight(int n, int device) { return (n % 5 + 3 * device) % 5; }

/* The first element of the device's share; of the one after the last: n. */
static inline int many_first(int n, int devices, int device)
{
    int before = 0, all = 0;

    for (int d = 0; d < devices; d++) {
        all += many_weight(n, d);
        before += d < device ? many_weight(n, d) : 0;
    }
    if (all == 0 || device >= devices)
        return device >= devices ? n : 0;
    return (int)((long long)n * before / all);
}

#endif
