/*
 * many_gpus_round_robin.h: the contract of lab 24's bonus, between many_gpus_round_robin.cu and its
 * callers.
 *
 * Inclusive scans of n ints: d_out[i] = d_in[0] + ... + d_in[i], modulo 2^32. d_in and d_out are on
 * device 0. round_robin_devices(n) devices take part, or as many as there are. Tiles are dealt to
 * them in turn: tile t is on device t mod G, after that device's tiles before it. So devices have
 * equally many tiles, or one more than others; the last tile may be short, and where there are
 * fewer tiles than devices some have none.
 *
 * The entries are given, in launches.h: they deal the tiles, launch, and bring the results back to
 * device 0. Only what kernels read and write is counted.
 */
#ifndef MANY_GPUS_ROUND_ROBIN_H
#define MANY_GPUS_ROUND_ROBIN_H

enum {
    ROUND_ROBIN_DEVICES = 8, /* at most */
    ROUND_ROBIN_THREADS = 256,
    ROUND_ROBIN_PER_THREAD = 4,
    ROUND_ROBIN_TILE = ROUND_ROBIN_THREADS * ROUND_ROBIN_PER_THREAD,
    ROUND_ROBIN_BLOCKS = 32 /* of a launch, at most: they take tiles by ticket */
};

#ifdef __cplusplus
extern "C" {
#endif

/* One launch a device: 2n numbers moved. */
void round_robin(const int *d_in, int *d_out, int n);

/* The same twice, with the words that the first time has left: d_out is the scan of the scan. */
void round_robin_again(const int *d_in, int *d_out, int n);

#ifdef __cplusplus
}
#endif

/* From 1 to ROUND_ROBIN_DEVICES. */
static inline int round_robin_devices(int n)
{
    return 1 + (int)((5ll * n + n / 7) % ROUND_ROBIN_DEVICES);
}

#endif
