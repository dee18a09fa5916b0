/*
 * speed_of_light.h: the contract of lab 11, between speed_of_light.cu and its callers.
 *
 * Inclusive scans of a whole array, as in lab 10, written for bandwidth: one launch and nothing
 * else, each element read once and written once, loads under way all the time.
 *
 * Common to all entries:
 *   d_in   n elements in device memory, aligned to an element; only read, unless it is d_out
 *   d_out  n elements in device memory, aligned to an element: d_in itself, or apart from it; every
 *          element is written
 *   n      elements, 0 <= n < 2^41; n = 0 launches nothing
 * Where both begin at a multiple of 16 bytes, as what cudaMalloc gives does, the scan runs at full
 * speed.
 *
 * speed_i32, speed_f32 and speed_i64 launch one kernel on the default stream and return without
 * waiting. They fill or copy no device memory besides, but for calls that need more descriptors
 * than any before. They report no errors of their own: the caller asks cudaGetLastError and
 * cudaDeviceSynchronize. The descriptors are their own and are kept from call to call: calls from
 * several threads, or on several streams, are not allowed. For those there are the entries below.
 *
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002.
 */
#ifndef SPEED_OF_LIGHT_H
#define SPEED_OF_LIGHT_H

enum {
    SPEED_TILE_BYTES = 32768, /* of a tile on a real GPU */
    /* on the simulated one, whose blocks have 48 KiB of shared memory */
    SPEED_ENGINE_TILE_BYTES = 8192
};

#include <stdbool.h>
#include <stddef.h>

struct CUstream_st; /* what a cudaStream_t points to */

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[0] + ... + d_in[i]; integers wrap around. */
void speed_i32(const int *d_in, int *d_out, long long n);
void speed_f32(const float *d_in, float *d_out, long long n);
void speed_i64(const long long *d_in, long long *d_out, long long n);

/* The same on a stream of the caller's, with descriptors in a workspace of the caller's: device
   memory of `room` bytes, aligned to 16, made all zeros once, before its first use. One scan at a
   time uses a workspace; scans of any type and length for which it has room may follow each other
   in it, and scans in different workspaces may run at the same time. A call allocates nothing and
   launches one kernel, so that it can be captured in a graph and replayed. The first call of a type
   asks the device for its limits: one thread makes it. False: the workspace is too small, or a CUDA
   call failed (cudaGetLastError). */
bool speed_i32_on(void *d_workspace, size_t room, const int *d_in, int *d_out, long long n,
                  struct CUstream_st *stream);
bool speed_f32_on(void *d_workspace, size_t room, const float *d_in, float *d_out, long long n,
                  struct CUstream_st *stream);
bool speed_i64_on(void *d_workspace, size_t room, const long long *d_in, long long *d_out,
                  long long n, struct CUstream_st *stream);

/* Bytes of workspace for n elements, and for any fewer, of 4 or 8 bytes each. */
size_t speed_workspace_bytes(long long n, size_t element_bytes);

#ifdef __cplusplus
}
#endif

#endif
