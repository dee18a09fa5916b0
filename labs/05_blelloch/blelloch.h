/*
 * blelloch.h: the contract of lab 05, between blelloch.cu and its callers.
 *
 * The array is cut into sections of BLELLOCH_SECTION elements. Each section is scanned on its own:
 * no sum crosses a section's border. The last section is partial where n is not a multiple of the
 * section. One block of BLELLOCH_THREADS threads works on one section, two elements a thread.
 *
 * Common to all entries:
 *   d_in   n floats in device memory, only read; some may be so large that a sum loses the
 *          others, and no subtraction brings them back
 *   d_out  n floats in device memory, apart from d_in; every element is written
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 * An entry launches one kernel, which adds in float, on the default stream, and returns without
 * waiting. It reports no errors of its own: the caller asks cudaGetLastError and
 * cudaDeviceSynchronize.
 */
#ifndef BLELLOCH_H
#define BLELLOCH_H

enum {
    BLELLOCH_THREADS = 256,                  /* of a block; a power of two */
    BLELLOCH_SECTION = 2 * BLELLOCH_THREADS, /* elements of a section */
    /* of shared memory: one padding word after each such many elements */
    BLELLOCH_BANKS = 32
};

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[first] + ... + d_in[i], where first is the start of i's section: a reduction
   tree, then a reverse tree. Source: Brent and Kung, IEEE Trans. Computers C-31(3), 1982; GPU
   Teaching Kit, module 10.3. */
void brent_kung_inclusive(const float *d_in, float *d_out, int n);

/* d_out[i] = d_in[first] + ... + d_in[i - 1], and 0 at the start of every section: up-sweep, clear
   the root, down-sweep. Source: Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190,
   1990, section 1.2. */
void blelloch_exclusive(const float *d_in, float *d_out, int n);

/* The same sums with element i kept in word i + i / BLELLOCH_BANKS of shared memory, so that no
   step has bank conflicts. Source: Harris, Sengupta and Owens, "Parallel Prefix Sum (Scan) with
   CUDA", GPU Gems 3, chapter 39, 2007. */
void blelloch_exclusive_padded(const float *d_in, float *d_out, int n);

/* Steps: given in steps.h, they try your functions one by one. */

/* up_sweep: every section after the way up, n <= 5 * BLELLOCH_SECTION. */
void blelloch_up_sweep(const float *d_in, float *d_out, int n);

/* padded: the word of shared memory in which element d_index[i] stands, or -1 if that lies beyond
   PADDED_SECTION words. n <= BLELLOCH_SECTION. */
void blelloch_padded_words(const int *d_index, int *d_word, int n);

#ifdef __cplusplus
}
#endif

#endif
