/*
 * quicksort.h: the contract of lab 19, between quicksort.cu and its callers.
 *
 * Quicksort by segmented scans: all segments of an array are split at the same time, and what they
 * are split into are the next level's segments.
 *
 * Common to all:
 *   n         keys, 0 <= n <= 2^30 - 2^12. n = 0 launches nothing
 *   arrays    are in device memory, apart from each other; inputs are only read
 * An entry works on the default stream, and all but quicksort_sort return without waiting. It
 * reports no errors of its own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The
 * memory that it needs besides is the entry's own and is kept from call to call: calls from several
 * threads, or on several streams, are not allowed.
 *
 * Keys are floats, and none is a NaN. A head flag is not 0 where a segment begins; element 0 begins
 * one, whatever its flag says. The pivot of a segment is its first key.
 *
 * Source: Sengupta, Harris, Zhang and Owens, "Scan Primitives for GPU Computing", Graphics Hardware
 * 2007.
 */
#ifndef QUICKSORT_H
#define QUICKSORT_H

enum {
    QUICKSORT_THREADS = 256, /* of a block */
    QUICKSORT_TILE = 2048    /* keys of a tile */
};

#ifdef __cplusplus
extern "C" {
#endif

/* One level: in each segment the keys below the pivot come first, then those equal to it, then
   those above it, all in the order in which they came. d_new_head[i] = 1 where what was one of
   these three begins, else 0. QUICKSORT_THREADS a block. */
void quicksort_level(const float *d_in, const int *d_head, float *d_out, int *d_new_head, int n);

/* To the end: d_out has the keys of d_in, ascending, whatever they are. Sorted keys, too, take at
   most 3 log2 n + 3 levels; one where all are equal; only keys that are chosen against the shuffle
   take more, up to n. The host reads one int a level, to know whether it was the last. */
void quicksort_sort(const float *d_in, float *d_out, int n);

/* ---- steps: given in steps.h, they try your device functions one by one ---------------------- */

/* find_pivots: d_pivot[i] = the pivot of i's segment. */
void quicksort_pivots(const float *d_in, const int *d_head, float *d_pivot, int n);

/* rank_keys: d_way[i] = 0, 1, 2 where key i is below, equal to, above its pivot; d_rank[i] = how
   many keys of its segment before it go the same way. */
void quicksort_ranks(const float *d_in, const int *d_head, int *d_way, int *d_rank, int n);

#ifdef __cplusplus
}
#endif

#endif
