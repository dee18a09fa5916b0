/*
 * segmented_scan.h: the contract of lab 16, between segmented_scan.cu and its callers.
 *
 * An array is cut into segments, and each is scanned alone. Segments are given by head flags, a
 * byte for each element, which is not 0 where a segment begins; or by offsets, as rows of a sparse
 * matrix are: segment s has the elements d_offset[s] to d_offset[s + 1] - 1, and may be empty.
 * Element 0 begins a segment, whatever its flag says.
 *
 * Common to all entries:
 *   d_in      n floats in device memory, only read
 *   d_head    n head flags, only read
 *   d_offset  segmented_count(n) + 1 ints, only read: they never fall, the first is 0, the last n
 *   d_out     n elements apart from all others; every element is written
 *   n         elements, 0 <= n < 2^31; with offsets at most 2^30 - 2^12, so that elements and ends
 *             together are fewer than 2^31 less a tile; where it is a long long below 2^43. n = 0
 *             launches nothing
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more descriptors than any before; it returns without waiting. It reports no errors of its own:
 * the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are kept from call to
 * call: calls from several threads, or on several streams, are not allowed.
 *
 * Source: Schwartz, "Ultracomputers", ACM TOPLAS 2(4), 1980; Sengupta, Harris, Zhang and Owens,
 * "Scan Primitives for GPU Computing", Graphics Hardware 2007.
 */
#ifndef SEGMENTED_SCAN_H
#define SEGMENTED_SCAN_H

enum {
    SEGMENTED_THREADS = 256,                   /* of a block, but where a thread has one element */
    SEGMENTED_SECTION = 2 * SEGMENTED_THREADS, /* elements of a section */
    SEGMENTED_TILE = 16 * SEGMENTED_THREADS,   /* elements of a tile */
    SEGMENTED_ROWS =
        SEGMENTED_TILE / SEGMENTED_THREADS /* of 32 elements: a warp's part of a tile */
};

/* How many segments the offsets tell: in this lab it follows from n. */
static inline int segmented_count(int n)
{
    const int each = n % 3 == 0 ? n / 8 : n % 3 == 1 ? n : n / 500;

    return n > 0 ? each + 5 : 0;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Sections: the array is cut into sections of SEGMENTED_SECTION elements, a block each. A section's
   first element begins a segment, whatever its flag says. */

/* Exclusive: d_out[i] = the sum of the elements of i's segment before i; 0 at a head.
   SEGMENTED_THREADS a block. */
void segmented_section(const float *d_in, const unsigned char *d_head, float *d_out, int n);

/* d_out[i] = how many elements of i's segment before i have a d_true that is not 0. A thread for
   each element of the section. */
void segmented_enumerate(const unsigned char *d_true, const unsigned char *d_head, int *d_out,
                         int n);

/* d_out[i] = the first element of i's segment. A thread for each element of the section. */
void segmented_distribute(const float *d_in, const unsigned char *d_head, float *d_out, int n);

/* The whole array, cut into tiles of SEGMENTED_TILE; SEGMENTED_THREADS a block. */

/* Inclusive: d_out[i] = the sum of the elements of i's segment up to and with i. d_depth: one int
   for each tile: how many tiles back the prefix was that ended its look-back; 0 where a tile did
   not look back. */
void segmented_inclusive(const float *d_in, const unsigned char *d_head, float *d_out, int *d_depth,
                         long long n);

/* The same by the same kernel, as if the arrays began at element 2^40 of larger ones, with nothing
   open there: so that its index arithmetic can be tried without such arrays. It takes and frees
   memory of its own. n <= 4 * SEGMENTED_TILE. */
void segmented_far(const float *d_in, const unsigned char *d_head, float *d_out, long long n);

/* Backward: d_out[i] = the sum of i and the elements of its segment after i. */
void segmented_backward(const float *d_in, const int *d_offset, float *d_out, int n);

/* d_sum[s] = the sum of segment s, 0 where it is empty; segmented_count(n) floats. A block takes
   the same share of work, SEGMENTED_TILE elements and ends of segments, whatever the segments. */
void segmented_sums(const float *d_in, const int *d_offset, float *d_sum, int n);

/* Steps: given in steps.h, they try your functions one by one. */

/* join: of stretches k and k + 1 (of the last one and the first), d_sum and d_any[k] = 1 where the
   joint stretch has a head, else 0. n <= 1000. */
void segmented_join(const float *d_in, const unsigned char *d_head, float *d_sum, int *d_any,
                    int n);

/* up_sweep: d_sum and d_any of every section after the way up, n <= 5 * SEGMENTED_SECTION. */
void segmented_up_sweep(const float *d_in, const unsigned char *d_head, float *d_sum, int *d_any,
                        int n);

/* segment_start: what it returns for lane i % 32 of the heads d_heads[i]. n <= 1000. */
void segmented_start(const unsigned *d_heads, int *d_start, int n);

/* scan_rows: each warp scans SEGMENTED_ROWS rows of 32 elements, as in a tile, and nothing is
   carried from warp to warp: there a segment begins. n <= 4 * SEGMENTED_TILE. */
void segmented_rows(const float *d_in, const unsigned char *d_head, float *d_out, int n);

/* ends_before: of d_at[k] items of elements and ends, how many are ends; for the offsets of
   n segments. n <= 1000. */
void segmented_split(const int *d_offset, const long long *d_at, int *d_ends, int n);

#ifdef __cplusplus
}
#endif

#endif
