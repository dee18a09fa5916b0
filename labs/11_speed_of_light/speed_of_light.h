/*
 * speed_of_light.h: the contract of lab 11, between speed_of_light.cu and whoever calls it.
 *
 * Inclusive scans of a whole array, as in lab 10, written for bandwidth: one launch and nothing else, each element read
 * once and written once, loads under way all the time.
 *
 * Common to all entries:
 *   d_in   n elements in device memory, aligned to an element; only read, unless it is d_out
 *   d_out  n elements in device memory, aligned to an element: d_in itself, or apart from it; every element is written
 *   n      elements, 0 <= n < 2^41; n = 0 launches nothing
 * Where both begin at a multiple of 16 bytes, as what cudaMalloc gives does, the scan runs at full speed.
 *
 * An entry launches one kernel on the default stream and returns without waiting. It fills or copies no device memory
 * besides, but for calls that need more descriptors than any before. It reports no errors of its own: the caller asks
 * cudaGetLastError and cudaDeviceSynchronize. The descriptors are the entry's own and are kept from call to call: calls
 * from several threads, or on several streams, are not allowed.
 *
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002.
 */
#ifndef SPEED_OF_LIGHT_H
#define SPEED_OF_LIGHT_H

enum {
    SPEED_TILE_BYTES = 32768,           /* of a tile on a real GPU */
    SPEED_ENGINE_TILE_BYTES = 8192      /* on the simulated one, whose blocks have 48 KiB of shared memory */
};

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[0] + ... + d_in[i]; integers wrap around. */
void speed_i32(const int *d_in, int *d_out, long long n);
void speed_f32(const float *d_in, float *d_out, long long n);
void speed_i64(const long long *d_in, long long *d_out, long long n);

#ifdef __cplusplus
}
#endif

#endif
