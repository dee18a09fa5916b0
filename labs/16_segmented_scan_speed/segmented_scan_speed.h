/*
 * segmented_scan_speed.h: the contract of the bonus of lab 16, between segmented_scan_speed.cu and
 * its callers: the segmented scan by head flags, at the speed of memory.
 */
#ifndef SEGMENTED_SCAN_SPEED_H
#define SEGMENTED_SCAN_SPEED_H

enum {
    SEGMENTED_SPEED_EACH = 28,                         /* elements of a thread, side by side */
    SEGMENTED_SPEED_TILE = 256 * SEGMENTED_SPEED_EACH, /* elements of a tile on a real GPU */
    /* on the simulated one, whose blocks have 48 KiB of shared memory */
    SEGMENTED_SPEED_ENGINE_TILE = 128 * SEGMENTED_SPEED_EACH
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * d_out[i] = the sum of the elements of i's segment up to and with i. A segment begins at element 0
 * and wherever a flag is not 0.
 *   d_in    n floats in device memory, aligned to an element; only read
 *   d_head  n head flags; only read. Where d_in and d_head begin at multiples of 16 bytes, as what
 *           cudaMalloc gives does, the scan runs at full speed
 *   d_out   n floats apart from all others, aligned to an element; every one is written
 *   n       elements, 0 <= n < 2^40; n = 0 launches nothing
 * It launches one kernel on the default stream, and nothing else except where a call needs more
 * descriptors than any before; it returns without waiting. It reports no errors of its own: the
 * caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are kept from call to
 * call: calls from several threads, or on several streams, are not allowed.
 *
 * It needs bulk copies: a GPU of compute capability 9.0 or more.
 */
void segmented_speed(const float *d_in, const unsigned char *d_head, float *d_out, long long n);

#ifdef __cplusplus
}
#endif

#endif
