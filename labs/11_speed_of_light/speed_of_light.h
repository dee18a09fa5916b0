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
    SPEED_ENGINE_TILE_BYTES = 8192,
    /* a workspace has at most so many bytes, and this share of the array's */
    SPEED_WORKSPACE_BYTES = 65536,
    SPEED_WORKSPACE_SHARE = 64
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
   asks the device for its limits: one thread makes it. True for n = 0. False: the workspace is too
   small, and nothing was done, or a CUDA call failed (cudaGetLastError). */
bool speed_i32_on(void *d_workspace, size_t room, const int *d_in, int *d_out, long long n,
                  struct CUstream_st *stream);
bool speed_f32_on(void *d_workspace, size_t room, const float *d_in, float *d_out, long long n,
                  struct CUstream_st *stream);
bool speed_i64_on(void *d_workspace, size_t room, const long long *d_in, long long *d_out,
                  long long n, struct CUstream_st *stream);

/* Bytes of workspace for n elements, and for any fewer, of 4 or 8 bytes each: at most
   SPEED_WORKSPACE_BYTES, and a SPEED_WORKSPACE_SHARE-th of the array's. */
size_t speed_workspace_bytes(long long n, size_t element_bytes);

/* How the grader tries them (trials.h), n <= 8192: d_kept[k] = 1 if promise k was kept; d_out from
   a workspace as it was made, then d_again, two thirds of it, in place and in the same workspace.
   With n = 0, d_kept has no elements. */
enum speed_promise {
    SPEED_DEFINED,           /* the entry and speed_workspace_bytes are there */
    SPEED_MODEST,            /* the workspace is no larger than the contract allows */
    SPEED_COVERS_SHORTER,    /* it is enough for fewer elements */
    SPEED_REFUSES,           /* one byte too few: false */
    SPEED_REFUSES_UNTOUCHED, /* and neither the workspace nor d_out is written */
    SPEED_ACCEPTS,           /* as many bytes as asked for: true */
    SPEED_ACCEPTS_AGAIN,     /* and in the workspace as it was left */
    SPEED_ACCEPTS_NONE,      /* n = 0: true, whatever the room */
    SPEED_NO_MEMORY,         /* no device memory besides is taken and kept */
    SPEED_ON_STREAM,         /* it works on the stream that it was given */
    SPEED_PROMISES
};
void speed_i32_tried_on(const int *d_in, int *d_kept, int *d_out, int *d_again, long long n);
void speed_f32_tried_on(const float *d_in, int *d_kept, float *d_out, float *d_again, long long n);
void speed_i64_tried_on(const long long *d_in, int *d_kept, long long *d_out, long long *d_again,
                        long long n);

/* Steps: given in steps.h, they try your functions one by one. */

/* inspect: words 0 to 2n - 1, the launch's stamp is 7. d_published[k] = 1 if the 4-byte sum of
   tile k was published, and 2 more if the 8-byte sum was; the sums, or 0. */
void speed_inspect(const long long *d_word, int *d_published, long long *d_narrow,
                   long long *d_wide, long long n);

/* close_epoch: what EPOCH is after a launch whose stamp was d_stamp[k], for the last one to leave
   where k is even, and for one that is not the last where it is odd. */
void speed_close_epoch(const unsigned *d_stamp, unsigned *d_epoch, long long n);

/* load_tiles: a warp copies from the stages to d_out what comes. d_wrong[i] = 1 if the block's
   previous tile is not noted as it was, else 0. Even n: BRISK. */
void speed_load(const int *d_in, int *d_out, int *d_wrong, long long n);

/* reduce_tiles: d_wrong[i] = 1 if the total of i's part is not the sum of the part, else 0. */
void speed_reduce(const int *d_in, int *d_wrong, long long n);

/* place_tiles: what lies before each of n tiles, whose sums are given, and with the tile. */
void speed_place(const int *d_sum, int *d_before, int *d_prefix, long long n);

/* scan_stages: the scan of d_in, from totals and what lies before each tile. */
void speed_scan(const int *d_in, int *d_out, long long n);

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
#include "trials.h"
#endif

#endif
