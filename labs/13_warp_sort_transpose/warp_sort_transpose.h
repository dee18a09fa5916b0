/*
 * warp_sort_transpose.h: the contract of lab 13, between warp_sort_transpose.cu and its callers.
 *
 * Arrays are cut into runs of 32 elements, a warp each, a lane an element; a block has
 * WARP_SORT_TRANSPOSE_THREADS threads. Nothing crosses the border of a run. The last run is partial
 * where n is not a multiple of 32. Lanes exchange registers by shuffles; no shared memory is used.
 *
 * Common to all entries:
 *   d_...  arrays in device memory, apart from each other; inputs, const, are only read, and every
 *          element of the others is written
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 * An entry launches one kernel on the default stream and returns without waiting. It reports no
 * errors of its own: the caller asks cudaGetLastError and cudaDeviceSynchronize.
 *
 * Source: Demouth, "Shuffle: Tips and Tricks", GPU Technology Conference, 2013; Batcher, "Sorting
 * Networks and their Applications", AFIPS 1968; Catanzaro, Keller, Garland, "A Decomposition for
 * In-place Matrix Transposition", PPoPP 2014.
 */
#ifndef WARP_SORT_TRANSPOSE_H
#define WARP_SORT_TRANSPOSE_H

enum {
    WARP_SORT_TRANSPOSE_THREADS = 256, /* of a block */
    WARP_SORT_TRANSPOSE_FIELDS = 3     /* of a structure, a float each */
};

#ifdef __cplusplus
extern "C" {
#endif

/* d_sorted: the keys of each run, ascending. Any int is a key. */
void sort_keys(const int *d_key, int *d_sorted, int n);

/* The same with a value beside each key, which moves with it: pairs ascending by key, those of
   equal keys by value. */
void sort_pairs(const int *d_key, const int *d_value, int *d_sorted_key, int *d_sorted_value,
                int n);

/* n structures { x, y, z }, one after the other in 3n floats: d_x[i] = d_in[3i], d_y[i] =
   d_in[3i + 1], d_z[i] = d_in[3i + 2]; to the bit, whatever these are. n <= 2^29, here and
   below. */
void structures_in(const float *d_in, float *d_x, float *d_y, float *d_z, int n);

/* The way back: d_out[3i] = d_x[i], d_out[3i + 1] = d_y[i], d_out[3i + 2] = d_z[i]. */
void structures_out(const float *d_x, const float *d_y, const float *d_z, float *d_out, int n);

/* Steps: given in steps.h, they try your functions one by one. */

/* exchange at distance 4: of each two keys of a run that are 4 apart the first place gets the
   smaller one, the second the greater. Places beyond n hold the greatest int. */
void sort_exchange(const int *d_key, int *d_out, int n);

/* served: d_lane[i] for lane d_index[i] % 32 and field d_index[i] / 32. n <= 96. */
void structures_served(const int *d_index, int *d_lane, int n);

#ifdef __cplusplus
}
#endif

#endif
