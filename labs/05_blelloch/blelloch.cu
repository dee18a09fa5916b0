/*
 * Work-efficient scan of each section of S = 512 elements: a tree of sums swept up to the root and
 * down again.
 *
 * Mapping   block b owns section b; thread t loads and stores elements t and t + 256, so that
 *           neighbours touch neighbours; in a step of stride s it serves the t-th pair of the tree,
 *           which ends at element (t + 1) * 2s - 1: the working threads are the first ones,
 *           whatever the stride
 * Bytes     4n read, 4n written; the sweeps stay in shared memory
 * Work      inclusive 2S - 2 - log2 S = 1013 additions a section, exclusive 2 (S - 1) = 1022
 * Depth     2 log2 S - 1 = 17 additions inclusive, 2 log2 S = 18 exclusive
 * Source    Brent and Kung, IEEE Trans. Computers C-31(3), 1982; Blelloch, CMU-CS-90-190, 1990;
 *           padding: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007
 */
#include <cuda_runtime.h>

#include "blelloch.h"

enum {
    THREADS = BLELLOCH_THREADS,
    SECTION = BLELLOCH_SECTION,
    BANKS = BLELLOCH_BANKS,
    PADDED_SECTION = SECTION /* TODO 4: make room for the padding; the last row needs none */
};

/* Reduction tree: the right element of each pair takes the sum of the pair's 2 * stride elements;
   the last element of the section, the root, ends with the sum of all. Every thread of the block
   must call it: it meets barriers. */
static __device__ void up_sweep(float *s_sum, int t)
{
    /* TODO 1: for stride 1, 2, 4, ... below SECTION, let the first threads serve the pairs: thread
       t the t-th one. */
}

__global__ void scan_brent_kung(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[t] = i < n ? d_in[i] : 0.0f;
    s_sum[t + THREADS] = i < n - THREADS ? d_in[i + THREADS] : 0.0f;
    up_sweep(s_sum, t);

    /* TODO 2: reverse tree: for strides SECTION / 4, ... 2, 1 the end of the t-th pair, finished by
       then, hands its sum on to the element one stride further, if there is one. What must be in
       place before the store? */

    if (i < n)
        d_out[i] = s_sum[t];
    if (i < n - THREADS)
        d_out[i + THREADS] = s_sum[t + THREADS];
}

__global__ void scan_blelloch(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[t] = i < n ? d_in[i] : 0.0f;
    s_sum[t + THREADS] = i < n - THREADS ? d_in[i + THREADS] : 0.0f;
    up_sweep(s_sum, t);

    /* TODO 3: clear the root, then sweep down: every node gives its value to its left child, and
       its value plus the left child's old sum to its right child. */

    if (i < n)
        d_out[i] = s_sum[t];
    if (i < n - THREADS)
        d_out[i + THREADS] = s_sum[t + THREADS];
}

/* Word of shared memory that holds element i: one word is left free after each row of banks. */
static __device__ int padded(int i)
{
    return i; /* TODO 5: skip one word after each row of banks */
}

/* As scan_blelloch, with every index into shared memory padded. */
__global__ void scan_blelloch_padded(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[PADDED_SECTION];
    int t = threadIdx.x;
    int i = blockIdx.x * SECTION + t;

    s_sum[padded(t)] = i < n ? d_in[i] : 0.0f;
    s_sum[padded(t + THREADS)] = i < n - THREADS ? d_in[i + THREADS] : 0.0f;

    /* TODO 6: both sweeps of scan_blelloch again, with padded() around every index into s_sum. */

    if (i < n)
        d_out[i] = s_sum[padded(t)];
    if (i < n - THREADS)
        d_out[i + THREADS] = s_sum[padded(t + THREADS)];
}

static int sections(int n)
{
    return (n - 1) / SECTION + 1; /* rounded up, without overflow for the largest n */
}

void brent_kung_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_brent_kung<<<sections(n), THREADS>>>(d_in, d_out, n);
}

void blelloch_exclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_blelloch<<<sections(n), THREADS>>>(d_in, d_out, n);
}

void blelloch_exclusive_padded(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_blelloch_padded<<<sections(n), THREADS>>>(d_in, d_out, n);
}

/* Tries up_sweep and padded on their own. If you change what they take, leave it out. */
#include "steps.h"
