// expect: PASS | a table for each pair of warps, and Hillis and Steele over the bins
#include <cuda_runtime.h>

#include "histogram.h"

constexpr int threads = HISTOGRAM_THREADS, bins = HISTOGRAM_BINS;
constexpr unsigned everybody = ~0u;

/* ---- histograms: a table for each pair of warps ---- */

template <bool grouped>
__global__ void count(const unsigned *in, unsigned *out, int n, int each)
{
    __shared__ unsigned table[4][bins];
    unsigned *mine = table[threadIdx.x / 64];

    for (int k = threadIdx.x; k < 4 * bins; k += threads)
        (&table[0][0])[k] = 0;
    __syncthreads();
    const int from = blockIdx.x * each, to = n - from < each ? n : from + each;
    for (int first = from; first < to; first += threads) {
        const int i = first + threadIdx.x;
        const bool there = i < to;
        const unsigned bin = there ? in[i] >> 24 : 0;
        if (!grouped) {
            if (there)
                atomicAdd(mine + bin, 1u);
            continue;
        }
        for (unsigned left = __ballot_sync(everybody, there); left != 0;) {
            const int leader = __ffs((int)left) - 1;
            const unsigned theirs = __shfl_sync(everybody, bin, leader);
            const unsigned peers = __ballot_sync(everybody, there && bin == theirs);
            if ((int)(threadIdx.x & 31) == leader)
                atomicAdd(mine + theirs, __popc(peers));
            left &= ~peers;
        }
    }
    __syncthreads();
    const unsigned all = table[0][threadIdx.x] + table[1][threadIdx.x] + table[2][threadIdx.x] +
                         table[3][threadIdx.x];
    if (all)
        atomicAdd(out + threadIdx.x, all);
}

template <bool grouped> static void histogram(const unsigned *in, unsigned *out, int n)
{
    cudaMemsetAsync(out, 0, bins * sizeof(unsigned));
    const int each = 4096 * (1 + n / (4096 * 2048));
    if (n > 0)
        count<grouped><<<(n + each - 1) / each, threads>>>(in, out, n, each);
}

void histogram_private(const unsigned *d_in, unsigned *d_count, int n)
{
    histogram<false>(d_in, d_count, n);
}
void histogram_hot(const unsigned *d_in, unsigned *d_count, int n)
{
    histogram<true>(d_in, d_count, n);
}

/* ---- ranges: Hillis and Steele over the bins ---- */

__global__ void ranges(const unsigned *counts, const int *low, const int *high, unsigned *found,
                       int n)
{
    __shared__ unsigned up_to[2][bins];
    int which = 0;
    const int t = threadIdx.x;

    up_to[0][t] = counts[t];
    for (int d = 1; d < bins; d *= 2, which ^= 1) {
        __syncthreads();
        up_to[which ^ 1][t] = up_to[which][t] + (t >= d ? up_to[which][t - d] : 0);
    }
    __syncthreads();
    for (int i = blockIdx.x * 2048 + t; i < n && i < (int)(blockIdx.x + 1) * 2048; i += threads)
        found[i] = up_to[which][high[i]] - (low[i] > 0 ? up_to[which][low[i] - 1] : 0);
}

void histogram_ranges(const unsigned *d_count, const int *d_low, const int *d_high,
                      unsigned *d_found, int n)
{
    if (n > 0)
        ranges<<<(n + 2047) / 2048, threads>>>(d_count, d_low, d_high, d_found, n);
}
