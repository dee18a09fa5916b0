/*
 * cpu_scan.h: what lab 01 promises. Prefix sums on the host, one thread, no GPU.
 *
 * Every pointer is a host array of n floats. n >= 0; with n = 0 nothing is read or written. Inputs
 * stay as they are, and apart from outputs; only cpu_scan_inclusive works in place as well. What is
 * to be added are multiples of 1/2, so that every sum which a function is asked for is exact; sums
 * that nobody asks for may round.
 */
#ifndef CPU_SCAN_H
#define CPU_SCAN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Inclusive scan: out[i] = in[0] + ... + in[i]. n additions. Works in place too: out may be the
   same array as in. Source: GPU Teaching Kit, module 10.1, the sequential addition scan. */
void cpu_scan_inclusive(const float *in, float *out, int n);

/* Exclusive scan: out[0] = 0, out[i] = in[0] + ... + in[i-1]. n additions. Source: as above, module
   10.4. */
void cpu_scan_exclusive(const float *in, float *out, int n);

/* Exclusive scan from the inclusive scan of the same numbers, with no addition and no subtraction,
   so that it holds for operators without an inverse, such as max: inclusive may be a running
   maximum that ends in infinity. in is not given: it is not needed. exclusive and inclusive do not
   overlap. */
void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n);

/* Inclusive scan from the exclusive scan of in. exclusive is the exclusive scan of a section of a
   longer array: it starts at what came before the section, exclusive[0] = carry, and carry is
   seldom 0. n additions at most. */
void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n);

/* The recurrence out[j] = out[j-1] + f(j), where f(j) = a[j] * b[j] and out[-1] = 0, as a map (all
   f(j), in any order) and a scan (cpu_scan_inclusive). n multiplications, n additions. out overlaps
   neither a nor b. */
void cpu_recurrence(const float *a, const float *b, float *out, int n);

#ifdef __cplusplus
}
#endif

#endif
