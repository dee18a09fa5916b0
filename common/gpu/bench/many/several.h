/*
 * several.h: fast inclusive scans of ints that lie on several GPUs of one host, made of lab 11's
 * solution: what lab 24 does, at the speed of memory. For the bench (many.cu).
 *
 * All GPUs have n elements each, n >= 2^13, and launch together: each function queues its kernels
 * on the streams of all and returns. They wait for each other, so the caller lets all end before
 * it queues the next one. False: a CUDA call failed (cudaGetLastError).
 */
#ifndef SEVERAL_H
#define SEVERAL_H

#include <cuda_runtime.h>

enum { SEVERAL_MOST = 8 };

typedef struct several {
    int gpus;
    long long n; /* of each */
    const int *d_in[SEVERAL_MOST];
    int *d_out[SEVERAL_MOST];
    void *d_room[SEVERAL_MOST];        /* several_room bytes each, in memory of its GPU */
    cudaStream_t stream[SEVERAL_MOST]; /* of its GPU */
} several;

/* For up to n elements on each of so many. */
size_t several_room(long long n, int gpus);

/* Before a function is called for the first time, or another one after it; all GPUs are peers.
   dealt: tile t of SEVERAL_TILE elements is on GPU t mod gpus; else each has the next share.
   Waits. */
bool several_open(const several *s, bool dealt);

#ifdef SCANLAB_ENGINE
enum { SEVERAL_TILE = 2048 };
#else
enum { SEVERAL_TILE = 8192 };
#endif

bool several_scan(const several *s);       /* each share by itself, as lab 11 does: 2n */
bool several_reduce(const several *s);     /* sums of shares, published to all GPUs after it: n */
bool several_fix_up(const several *s);     /* scan, tell, add: 4n */
bool several_seed_first(const several *s); /* reduce, scan: 3n, two launches */
bool several_board(const several *s); /* the same in one launch, or 2n where the chip holds n */
bool several_dealt(const several *s); /* dealt: one look-back over all, 2n */

/* One launch on each GPU: so many rounds in which each tells all others a word and waits for
   theirs, from epoch + 1 on. d_board: SEVERAL_BOARD words on each, zero at first. */
enum { SEVERAL_BOARD = 128 };
bool several_rounds(const several *s, unsigned long long *const *d_board, unsigned epoch,
                    int rounds);

/* A word back and forth between two GPUs, so many times, from epoch + 1 on. pushed: into memory of
   who waits; else it looks across the link. */
bool several_ping_pong(const several *s, unsigned long long *const *d_board, int from, int to,
                       bool pushed, unsigned epoch, int times);

#endif
