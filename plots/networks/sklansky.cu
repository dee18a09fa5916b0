/*
 * Sklansky scan of each section of S = 256 elements: the network of least depth, with half as many
 * additions as Hillis-Steele's.
 *
 * Mapping   block b owns section b, thread t its element t. Before the step of stride s every run
 *           of s elements holds its own scan; in it the runs pair up, and the last sum of the left
 *           run is added to every element of the right one
 * Bytes     4n read, 4n written; the steps stay in shared memory
 * Work      S/2 log2 S = 1024 additions a section
 * Depth     log2 S = 8 additions; one sum is read by up to S/2 threads
 * Source    Sklansky, IRE Trans. Electronic Computers EC-9(2), 1960
 */
#include <cuda_runtime.h>

#include "sklansky.h"

enum { SECTION = SKLANSKY_SECTION };

__global__ void scan_sklansky(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[t] = i < n ? d_in[i] : 0.0f;
    for (int stride = 1; stride < SECTION; stride *= 2) {
        /* One barrier a step is enough: what is read, the end of a left run, is not written in the
           same step. */
        __syncthreads();
        if (t & stride)
            s_sum[t] += s_sum[(t & -stride) - 1];
    }
    if (i < n)
        d_out[i] = s_sum[t]; /* the thread's own element: no barrier needed */
}

void sklansky_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_sklansky<<<(n - 1) / SECTION + 1, SECTION>>>(d_in, d_out, n);
}
