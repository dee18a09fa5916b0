/*
 * shuffle_scan.h: the contract of lab 09, between shuffle_scan.cu and its callers.
 *
 * The array is cut into sections of SHUFFLE_SCAN_SECTION elements, one block each, one thread an
 * element, and a section into runs of 32, one warp each. Lanes exchange values by shuffles, from
 * register to register. No value crosses the border of its warp, or of its section in the scans of
 * a block. The last warp and the last section are partial where n is not a multiple of theirs.
 *
 * Common to all entries:
 *   d_in   n floats in device memory, only read; some may be so large that a sum loses the
 *          others, and no subtraction brings them back
 *   d_out  n floats in device memory, apart from d_in; every element is written
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 * An entry launches one kernel, which adds in float, on the default stream, and returns without
 * waiting. It reports no errors of its own: the caller asks cudaGetLastError and
 * cudaDeviceSynchronize.
 *
 * Source: Demouth, "Shuffle: Tips and Tricks", GPU Technology Conference, 2013; PTX ISA, section on
 * shfl.sync.
 */
#ifndef SHUFFLE_SCAN_H
#define SHUFFLE_SCAN_H

/* elements of a section, and threads per block; whole warps, at most 32 */
enum { SHUFFLE_SCAN_SECTION = 256 };

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[i] - d_in[i - 1]; 0 for the first element of every warp, which has no left
   neighbour there. */
void shuffle_neighbour(const float *d_in, float *d_out, int n);

/* d_out[i]: the last negative element of i's warp, the same for all of the warp; 0 where none is
   negative. */
void shuffle_broadcast(const float *d_in, float *d_out, int n);

/* d_out[i]: the sum of i's warp, the same for all of the warp. */
void shuffle_reduce(const float *d_in, float *d_out, int n);

/* d_out[i] = d_in[first] + ... + d_in[i], where first is the start of i's warp. A comparison of the
   lane with the distance guards each addition. */
void shuffle_scan(const float *d_in, float *d_out, int n);

/* The same sums. The predicate that shfl.sync sets beside its value guards each addition: no
   comparison is needed. */
void shuffle_scan_predicate(const float *d_in, float *d_out, int n);

/* d_out[i] = d_in[first] + ... + d_in[i], where first is the start of i's section; through shared
   memory go only the sums of the warps. */
void shuffle_block_scan(const float *d_in, float *d_out, int n);

/* The same sums with every step through shared memory, to compare with. */
void shared_block_scan(const float *d_in, float *d_out, int n);

#ifdef __cplusplus
}
#endif

#endif
