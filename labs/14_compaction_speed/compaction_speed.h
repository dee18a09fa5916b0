/*
 * compaction_speed.h: the contract of the bonus of lab 14, between compaction_speed.cu and its
 * callers: what lab 14 does with ints, at the speed of memory.
 *
 * Common to all:
 *   d_in            n ints in device memory, only read, unless d_out is d_in
 *   d_out, d_rest   room for n ints each, apart from every other array unless it says otherwise.
 *                   What lies after the last element that is kept stays as it was
 *   d_count         one long long in device memory: how many were kept; 0 for n = 0
 *   n               elements, 0 <= n < 2^40
 * All are aligned to an element. Where the input begins at a multiple of 16 bytes, as what
 * cudaMalloc gives does, it runs at full speed. Order is kept.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more descriptors than any before; it returns without waiting. It reports no errors of its own:
 * the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are kept from call to
 * call: calls from several threads, or on several streams, are not allowed.
 *
 * It needs bulk copies: a GPU of compute capability 9.0 or more.
 */
#ifndef COMPACTION_SPEED_H
#define COMPACTION_SPEED_H

enum {
    COMPACTION_SPEED_TILE = 8192, /* elements of a tile on a real GPU */
    /* on the simulated one, whose blocks have 48 KiB of shared memory */
    COMPACTION_SPEED_ENGINE_TILE = 2048
};

#ifdef __cplusplus
extern "C" {
#endif

/* select_if: d_out gets the elements that are 0 or more. */
void compaction_speed_select(const int *d_in, int *d_out, long long *d_count, long long n);

/* The same where d_out may be d_in. What lies past the count is then what was there before. */
void compaction_speed_in_place(const int *d_in, int *d_out, long long *d_count, long long n);

/* partition_if: d_out gets the same, and d_rest the others, in their order. */
void compaction_speed_partition(const int *d_in, int *d_out, int *d_rest, long long *d_count,
                                long long n);

#ifdef __cplusplus
}
#endif

#endif
