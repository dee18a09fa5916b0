/*
 * decoupled_lookback.h: the contract of lab 10, between decoupled_lookback.cu and its callers.
 *
 * Inclusive scans of a whole array in one kernel that reads each element once and writes it once.
 * The array is cut into tiles of LOOKBACK_TILE elements, the last of them partial where n is not a
 * multiple; one block of LOOKBACK_THREADS threads works on one tile, and learns what lies before it
 * from the descriptors that the tiles before leave in device memory.
 *
 * Common to the scans:
 *   d_in     n elements in device memory, aligned to 16 bytes as cudaMalloc aligns; only read
 *   d_out    n elements in device memory, aligned likewise, apart from d_in; every element is
 *            written
 *   d_depth  one int for each tile, in device memory: how many tiles back the tile that ended its
 *            look-back lies, the one whose inclusive prefix was found; 0 for tile 0,
 *            before which there is none: no tile -1 is counted, even where the code has one. It
 *            describes the run and depends on the schedule.
 *   n        elements, 0 <= n < 2^43; n = 0 launches nothing
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more descriptors than any before; it returns without waiting. It reports no errors of its own:
 * the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are the entry's own
 * and are kept from call to call: calls from several threads, or on several streams, are not
 * allowed.
 *
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002, section 4.
 */
#ifndef DECOUPLED_LOOKBACK_H
#define DECOUPLED_LOOKBACK_H

enum {
    LOOKBACK_THREADS = 128,  /* of a block: 4 warps */
    LOOKBACK_TILE = 8192,    /* elements of a tile: 64 a thread */
    LOOKBACK_STEP_EPOCH = 5, /* of the words in the steps, below */
    /* the last step's first tile: a 32-bit index wraps there, and leads far away from every array
       also where it begins anew at tile 0 */
    LOOKBACK_FAR_TILE = (1 << 19) + (1 << 17)
};

/* The map x -> a x + b, modulo 2^32. */
typedef struct affine {
    unsigned a, b;
} affine;

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[0] + ... + d_in[i]; int wraps around, modulo 2^32. */
void lookback_i32(const int *d_in, int *d_out, int *d_depth, long long n);
void lookback_f32(const float *d_in, float *d_out, int *d_depth, long long n);
void lookback_i64(const long long *d_in, long long *d_out, int *d_depth, long long n);

/* d_out[i] = the map that applies d_in[0] first, then d_in[1], ..., d_in[i] last. f and then g is
   { g.a * f.a, g.a * f.b + g.b }: the order matters. */
void lookback_affine(const affine *d_in, affine *d_out, int *d_depth, long long n);

/* d_first[k] = index of the first element of tile d_tile[k], for 0 <= d_tile[k] <= 2^40, by the
   device function that the scans use: so that their index arithmetic can be tried without an array
   of that size. */
void lookback_tile_offsets(const long long *d_tile, long long *d_first, long long n);

/* Steps: given in steps.h, they try your device functions one by one. n tiles, n <= 1000; an even
   tile holds a packed int, an odd one a map, but where it says otherwise. The words have the
   epoch LOOKBACK_STEP_EPOCH. */

/* publish: tile k publishes d_status[k] and d_value[k], once. The three arrays are the descriptors,
   all 0 before. */
void lookback_publish(const int *d_status, const long long *d_value, long long *d_word,
                      long long *d_aggregate, long long *d_prefix, long long n);

/* inspect: what it says of tile k, whose descriptor is given; d_value[k] = 0 where INVALID. */
void lookback_inspect(const long long *d_word, const long long *d_aggregate,
                      const long long *d_prefix, int *d_status, long long *d_value, long long n);

/* Both: one warp publishes d_value[k] as A and twice that as P, while another one inspects until it
   sees P: d_seen[k] is the value that came with it. d_torn[k] counts how often A came with another
   value than its own: 0. 32 tiles are packed, 32 are not, and so on. */
void lookback_hand_over(const long long *d_value, long long *d_seen, int *d_torn, long long n);

/* look_back: what it returns for tile k + 1, and its depth, from the descriptors of maps in tiles 0
   to n - 1, which are all A or P. */
void lookback_window(const long long *d_word, const affine *d_aggregate, const affine *d_prefix,
                     affine *d_before, int *d_depth, long long n);

/* scan_tile: lookback_i32 of tiles from LOOKBACK_FAR_TILE on, beyond 2^32 elements, with nothing
   but zeros before them: for its index arithmetic. n <= 3 * LOOKBACK_TILE. */
void lookback_far(const int *d_in, int *d_out, long long n);

#ifdef __cplusplus
}
#endif

#endif
