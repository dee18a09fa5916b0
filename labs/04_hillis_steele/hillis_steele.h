/*
 * hillis_steele.h: the contract of lab 04, between hillis_steele.cu and its callers.
 *
 * The array is cut into sections of HILLIS_STEELE_SECTION elements. Each section is scanned on its
 * own: no sum crosses a section's border. The last section is partial where n is not a multiple of
 * the section. One block of HILLIS_STEELE_SECTION threads works on one section, one element a
 * thread.
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
#ifndef HILLIS_STEELE_H
#define HILLIS_STEELE_H

/* elements of a section, and threads per block; a power of two */
enum { HILLIS_STEELE_SECTION = 256 };

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[first] + ... + d_in[i], where first is the start of i's section. One shared
   buffer of one section. Source: Hillis and Steele, "Data Parallel Algorithms", CACM 29(12), 1986;
   GPU Teaching Kit, module 10.2. */
void hillis_steele_inclusive(const float *d_in, float *d_out, int n);

/* The same sums from two shared buffers, read and written in turn, with one barrier a step. */
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n);

/* d_out[i] = d_in[first] + ... + d_in[i - 1], and 0 at the start of every section: the inclusive
   scan of the section shifted right by one, 0 coming in, its last element dropped. Source: GPU
   Teaching Kit, module 10.4. */
void hillis_steele_exclusive(const float *d_in, float *d_out, int n);

#ifdef __cplusplus
}
#endif

#endif
