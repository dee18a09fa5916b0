/*
 * streaming_scan_wide.h: the contract of the bonus of lab 07, between streaming_scan_wide.cu and
 * its callers: lab 07's chain, with as few hops as a block's room allows.
 */
#ifndef STREAMING_SCAN_WIDE_H
#define STREAMING_SCAN_WIDE_H

#include "../07_streaming_scan/streaming_scan.h"

/* A wide tile is made of pieces, each as large as a tile of lab 07, for as many threads. */
enum {
    STREAMING_SCAN_WIDE_HELD = 28, /* pieces in registers: 196 of a thread's 255 */
    /* the simulated GPU gets fewer, so that small arrays have several tiles; its blocks have
       64 KiB of shared memory for who asks for them, with room for 7 more */
    STREAMING_SCAN_WIDE_ENGINE_HELD = 4,
    STREAMING_SCAN_WIDE_ENGINE_PIECES = STREAMING_SCAN_WIDE_ENGINE_HELD + 7
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * d_out[i] = d_in[0] + ... + d_in[i], as streaming_scan of lab 07, and under the same rules.
 *   d_in   n floats in device memory; only read, each element once
 *   d_out  n floats in device memory, apart from d_in
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 * A block takes the largest tile that it can hold: STREAMING_SCAN_WIDE_HELD pieces (simulated:
 * STREAMING_SCAN_WIDE_ENGINE_HELD) in the registers of its threads, and as many more as fit into
 * the shared memory that a block of this device may have.
 */
void streaming_scan_wide(const float *d_in, float *d_out, int n);

#ifdef __cplusplus
}
#endif

#endif
