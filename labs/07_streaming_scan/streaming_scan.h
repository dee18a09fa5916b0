/*
 * streaming_scan.h: the contract of lab 07, between streaming_scan.cu and its callers.
 *
 * The array is cut into tiles of STREAMING_SCAN_TILE elements; the last one is partial where n is
 * not a multiple of it. One block of STREAMING_SCAN_THREADS threads works on one tile. The prefix
 * of tile t is the sum of tiles 0 to t. Sums run on over the whole array: the block of tile t
 * waits, inside the kernel, for the prefix of tile t - 1.
 *
 * Common to all entries:
 *   d_in   n floats in device memory, only read; some may be so large that a sum loses the
 *          others, and no subtraction brings them back
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 * An entry launches one kernel, on the default stream; it adds in float. What that kernel finds in
 * its scratch memory is put there by cudaMemset, which is not a launch, or by the kernel of the
 * call before, which leaves counter and flags as it found them; nothing else that an earlier call
 * has left there may matter.
 * The kernel ends, and is right, in whatever order the device starts the blocks and however
 * few it has room for at a time, down to one. An entry may wait for the device. It reports no
 * errors of its own: the caller asks cudaGetLastError and cudaDeviceSynchronize.
 */
#ifndef STREAMING_SCAN_H
#define STREAMING_SCAN_H

enum {
    STREAMING_SCAN_THREADS = 256, /* of a block; a power of two */
    /* elements; odd, so that the runs of 32 lanes begin in 32 different banks */
    STREAMING_SCAN_PER_THREAD = 7,
    STREAMING_SCAN_TILE = STREAMING_SCAN_THREADS * STREAMING_SCAN_PER_THREAD
};

#ifdef __cplusplus
extern "C" {
#endif

/* The chain alone: d_prefix[t] = d_in[0] + ... + the last element of tile t, one float for each
   tile, in device memory. */
void streaming_scan_prefixes(const float *d_in, float *d_prefix, int n);

/* d_out[i] = d_in[0] + ... + d_in[i]; d_out has n floats in device memory, apart from d_in.
   Source: Yan, Long and Zhang, "StreamScan", PPoPP 2013; GPU Teaching Kit, "Streaming" scan. */
void streaming_scan(const float *d_in, float *d_out, int n);

#ifdef __cplusplus
}
#endif

#endif
