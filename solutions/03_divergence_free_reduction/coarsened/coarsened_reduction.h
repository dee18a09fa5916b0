/*
 * coarsened_reduction.h: the reduction of lab 03 at the speed of memory. NOTES.md in the folder
 * above says what coarsening is.
 *
 * d_in is a device pointer to n floats, aligned to 16 bytes as cudaMalloc aligns, d_sum one to a
 * single float apart from them. 0 <= n < 2^42. A call launches at most two kernels on the default
 * stream and returns without waiting. It reports no errors of its own: the caller asks
 * cudaGetLastError and cudaDeviceSynchronize. Partial sums lie in memory that is kept from call to
 * call: calls from several threads, or on several streams, are not allowed.
 */
#ifndef COARSENED_REDUCTION_H
#define COARSENED_REDUCTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* d_sum[0] = d_in[0] + ... + d_in[n-1]; 0 for n = 0. The order of the additions depends on n and on
   the GPU, not on the run. */
void reduce_coarsened_total(const float *d_in, float *d_sum, long long n);

#ifdef __cplusplus
}
#endif

#endif
