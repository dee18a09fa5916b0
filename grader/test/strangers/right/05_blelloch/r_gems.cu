// expect: PASS | the loops of GPU Gems 3: d from n/2 down, an offset beside it, CONFLICT_FREE macro, dynamic shared memory
#include <cuda_runtime.h>

#include "blelloch.h"

#define T BLELLOCH_THREADS
#define N BLELLOCH_SECTION
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE(i) ((i) + ((i) >> LOG_NUM_BANKS))
#define PLAIN(i) (i)

#define PRESCAN(name, AT)                                                                          \
    __global__ void name(const float *g_idata, float *g_odata, int n)                              \
    {                                                                                              \
        extern __shared__ float temp[];                                                            \
        int thid = threadIdx.x, offset = 1;                                                        \
        int ai = thid, bi = thid + T;                                                              \
        int base = blockIdx.x * N;                                                                 \
        int left = n - base;                                                                       \
        temp[AT(ai)] = ai < left ? g_idata[base + ai] : 0;                                         \
        temp[AT(bi)] = bi < left ? g_idata[base + bi] : 0;                                         \
        for (int d = N >> 1; d > 0; d >>= 1) {                                                     \
            __syncthreads();                                                                       \
            if (thid < d) {                                                                        \
                int a = offset * (2 * thid + 1) - 1;                                               \
                int b = offset * (2 * thid + 2) - 1;                                               \
                temp[AT(b)] += temp[AT(a)];                                                        \
            }                                                                                      \
            offset *= 2;                                                                           \
        }                                                                                          \
        if (thid == 0)                                                                             \
            temp[AT(N - 1)] = 0;                                                                   \
        for (int d = 1; d < N; d *= 2) {                                                           \
            offset >>= 1;                                                                          \
            __syncthreads();                                                                       \
            if (thid < d) {                                                                        \
                int a = offset * (2 * thid + 1) - 1;                                               \
                int b = offset * (2 * thid + 2) - 1;                                               \
                float t = temp[AT(a)];                                                             \
                temp[AT(a)] = temp[AT(b)];                                                         \
                temp[AT(b)] += t;                                                                  \
            }                                                                                      \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (ai < left)                                                                             \
            g_odata[base + ai] = temp[AT(ai)];                                                     \
        if (bi < left)                                                                             \
            g_odata[base + bi] = temp[AT(bi)];                                                     \
    }

PRESCAN(prescan, PLAIN)
PRESCAN(prescan_padded, CONFLICT_FREE)

__global__ void brent_kung(const float *X, float *Y, int n)
{
    __shared__ float XY[N];
    int base = blockIdx.x * N, t = threadIdx.x;
    for (int k = t; k < N; k += T)
        XY[k] = k < n - base ? X[base + k] : 0;
    for (unsigned stride = 1; stride <= T; stride *= 2) {
        __syncthreads();
        unsigned index = (t + 1) * stride * 2 - 1;
        if (index < N)
            XY[index] += XY[index - stride];
    }
    for (unsigned stride = T / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned index = (t + 1) * stride * 2 - 1;
        if (index + stride < N)
            XY[index + stride] += XY[index];
    }
    __syncthreads();
    for (int k = t; k < N; k += T)
        if (k < n - base)
            Y[base + k] = XY[k];
}

static int blocks(int n) { return (n - 1) / N + 1; }

void brent_kung_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        brent_kung<<<blocks(n), T>>>(d_in, d_out, n);
}
void blelloch_exclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        prescan<<<blocks(n), T, N * sizeof(float)>>>(d_in, d_out, n);
}
void blelloch_exclusive_padded(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        prescan_padded<<<blocks(n), T, CONFLICT_FREE(N) * sizeof(float)>>>(d_in, d_out, n);
}
