/*
 * compaction.h: the contract of lab 14, between compaction.cu and its callers.
 *
 * Three ways to keep a part of an array, each in one kernel that reads an element once and writes
 * only what is kept. The array is cut into tiles of COMPACTION_TILE elements, the last of them
 * partial where n is not a multiple; a block of COMPACTION_THREADS threads takes a tile by ticket,
 * and learns by look-back how many elements the tiles before it keep.
 *
 * Common to all:
 *   d_in            n elements in device memory, aligned as cudaMalloc aligns; only read. Floats
 *                   may be infinite
 *   d_out, d_rest   room for n elements each, apart from every other array unless it says
 *                   otherwise. What lies after the last element that is kept stays as it was.
 *                   Only partition_if has a d_rest: select_tile gets NULL for it in the other modes
 *   d_count         one long long in device memory: how many were kept; 0 for n = 0
 *   n               elements, 0 <= n < 2^42
 * Order is kept: what stood further left in the input stands further left in the output.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more descriptors than any before, or n is 0; it returns without waiting. It reports no errors of
 * its own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are the
 * entry's own and are kept from call to call: calls from several threads, or on several streams,
 * are not allowed.
 *
 * Sources: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002, sections 4.4 and 5.2; Harris and Garland, "Optimizing Parallel Prefix Operations
 * for the Fermi Architecture", section 3.1.
 */
#ifndef COMPACTION_H
#define COMPACTION_H

enum {
    COMPACTION_THREADS = 256, /* of a block: 8 warps */
    COMPACTION_TILE = 4096,   /* elements of a tile: 16 a thread */
    /* the last step's first tile: a count needs all 42 bits there; a 32-bit index wraps, and leads
       far away from every array also where it begins anew at tile 0 */
    COMPACTION_FAR_TILE = (1 << 29) + (1 << 20) + (1 << 18),
    COMPACTION_FAR_RUN = COMPACTION_THREADS + 5 /* elements that store_run stores, tried alone */
};

#ifdef __cplusplus
extern "C" {
#endif

/* select_if: d_out gets the elements that are 0 or more. -0.0 is one of them, a NaN is not. */
void compaction_select_i32(const int *d_in, int *d_out, long long *d_count, long long n);
void compaction_select_f32(const float *d_in, float *d_out, long long *d_count, long long n);
void compaction_select_i64(const long long *d_in, long long *d_out, long long *d_count,
                           long long n);

/* partition_if: the same, and d_rest gets the others, in their order: n - *d_count of them. */
void compaction_partition_i32(const int *d_in, int *d_out, int *d_rest, long long *d_count,
                              long long n);
void compaction_partition_f32(const float *d_in, float *d_out, float *d_rest, long long *d_count,
                              long long n);
void compaction_partition_i64(const long long *d_in, long long *d_out, long long *d_rest,
                              long long *d_count, long long n);

/* select_if where d_out may be d_in. What lies past the count is then what was there before. */
void compaction_in_place_i32(const int *d_in, int *d_out, long long *d_count, long long n);
void compaction_in_place_f32(const float *d_in, float *d_out, long long *d_count, long long n);
void compaction_in_place_i64(const long long *d_in, long long *d_out, long long *d_count,
                             long long n);

/* Your device functions, tried alone where the entries above do not try all that they promise. */

/* store_run: for each k a run of COMPACTION_FAR_RUN ints to index d_at[k] and on, up to 2^41, of an
   array that is moved so that the run falls on the k-th of d_out, which gets its own indices.
   n <= 300. */
void compaction_far(const long long *d_at, int *d_out, long long n);

/* publish and inspect, in place: d_out may be d_in. A block an element: it reads its own, publishes
   that number, waits for the word of the block before, and overwrites that one's element by the sum
   of both. d_out[i] = d_in[i] + d_in[i + 1], where there is one. d_in[i] >= 0; n <= 300. */
void compaction_words(const int *d_in, int *d_out, long long n);

/* Steps: given in steps.h, they try your device functions one by one, on whole tiles. */

/* rank_in_warp: d_rank[i] = how many elements of i's warp before i are not 0 in d_flag; of each
   warp of 512. d_kept has what rank_in_warp returns to each thread of each tile: how many of its
   warp's are not 0. */
void compaction_ranks(const int *d_flag, int *d_rank, int *d_kept, long long n);

/* select_tile: compaction_select_i32 of tiles from COMPACTION_FAR_TILE on, before which all
   elements are kept: *d_count counts those, too. n <= 3 * COMPACTION_TILE. */
void compaction_far_tiles(const int *d_in, int *d_out, long long *d_count, long long n);

/* The same of compaction_partition_i32, where no element is kept before. */
void compaction_far_partition(const int *d_in, int *d_out, int *d_rest, long long *d_count,
                              long long n);

#ifdef __cplusplus
}
#endif

#endif
