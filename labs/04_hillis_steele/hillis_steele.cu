/*
 * Hillis-Steele scan of each section of S = 256 elements: the Kogge-Stone network, one step per
 * doubling of the stride.
 *
 * Mapping   block b owns section b, thread t its element t; after the step of stride s it holds the
 *           sum of the 2s elements that end at t (fewer where the section starts)
 * Bytes     4n read, 4n written; the steps stay in shared memory
 * Work      S log2 S - (S - 1) = 1793 additions a section, against S - 1 = 255 in a loop
 * Depth     log2 S = 8 additions
 * Source    Hillis and Steele, CACM 29(12), 1986; Kogge and Stone, IEEE Trans. Computers C-22(8),
 *           1973
 */
#include <cuda_runtime.h>

#include "hillis_steele.h"

enum { SECTION = HILLIS_STEELE_SECTION };

/* Leaves in s_sum[t] the inclusive scan of the section. Every thread of the block must call it: it
   meets barriers. */
static __device__ void scan_one_buffer(float *s_sum, int t)
{
    /* TODO 1: take the steps of stride 1, 2, 4, ... below SECTION. In each one, thread t adds to
       its own element the one that lies stride to its left, if the section reaches that far. Mind
       that others read what you overwrite. */
}

__global__ void scan_inclusive(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[t] = i < n ? d_in[i] : 0.0f;
    scan_one_buffer(s_sum, t);
    if (i < n)
        d_out[i] = s_sum[t];
}

__global__ void scan_double_buffer(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[2][SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;
    int from = 0; /* the buffer that holds the sums so far */

    s_sum[from][t] = i < n ? d_in[i] : 0.0f;

    /* TODO 2: take the same steps with one barrier each: read s_sum[from], write the other buffer,
       change their roles. */

    if (i < n)
        d_out[i] = s_sum[from][t];
}

__global__ void scan_exclusive(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    /* TODO 3: where i < n, load the section shifted right by one: the scan comes out exclusive. */
    s_sum[t] = i < n ? d_in[i] : 0.0f;
    scan_one_buffer(s_sum, t);
    if (i < n)
        d_out[i] = s_sum[t];
}

static int sections(int n)
{
    return (n - 1) / SECTION + 1; /* rounded up, without overflow for the largest n */
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_inclusive<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_double_buffer<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_exclusive<<<sections(n), SECTION>>>(d_in, d_out, n);
}
