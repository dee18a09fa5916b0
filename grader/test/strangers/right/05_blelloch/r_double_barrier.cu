// expect: PASS | up-sweep value of the pair kept in a register, one function for both trees by pointer to function, constant table of strides
#include <cuda_runtime.h>

#include "blelloch.h"

enum { P = BLELLOCH_THREADS, S = BLELLOCH_SECTION };
__constant__ int stride_of[9] = { 1, 2, 4, 8, 16, 32, 64, 128, 256 };

__device__ int flat(int i) { return i; }
__device__ int skewed(int i) { return i + (i >> 5); }

template <int (*at)(int)> __device__ void get(float *s, const float *in, int n)
{
    int t = threadIdx.x, i = blockIdx.x * S + t;
    s[at(t)] = i < n ? in[i] : 0;
    s[at(t + P)] = n - i > P ? in[i + P] : 0;
    __syncthreads();
}

template <int (*at)(int)> __device__ void put(const float *s, float *out, int n)
{
    int t = threadIdx.x, i = blockIdx.x * S + t;
    if (i < n)
        out[i] = s[at(t)];
    if (n - i > P)
        out[i + P] = s[at(t + P)];
}

template <int (*at)(int)> __device__ void up(float *s)
{
    for (int k = 0; k < 9; k++) {
        int right = (threadIdx.x + 1) * 2 * stride_of[k] - 1;
        if (right < S)
            s[at(right)] += s[at(right - stride_of[k])];
        __syncthreads();
    }
}

template <int (*at)(int)> __global__ void exclusive(const float *in, float *out, int n)
{
    __shared__ float s[S + S / BLELLOCH_BANKS];
    get<at>(s, in, n);
    up<at>(s);
    for (int k = 8; k >= 0; k--) {
        int right = (threadIdx.x + 1) * 2 * stride_of[k] - 1, left = right - stride_of[k];
        if (right < S) {
            float node = k == 8 ? 0.0f : s[at(right)];
            float sum = node + s[at(left)];
            s[at(left)] = node;
            s[at(right)] = sum;
        }
        __syncthreads();
    }
    put<at>(s, out, n);
}

__global__ void inclusive(const float *in, float *out, int n)
{
    __shared__ float s[S];
    get<flat>(s, in, n);
    up<flat>(s);
    for (int k = 7; k >= 0; k--) {
        int end = (threadIdx.x + 1) * 2 * stride_of[k] - 1;
        if (end + stride_of[k] < S)
            s[end + stride_of[k]] += s[end];
        __syncthreads();
    }
    put<flat>(s, out, n);
}

static dim3 grid(int n) { return dim3((n - 1) / S + 1); }

void brent_kung_inclusive(const float *d_in, float *d_out, int n)
{
    if (n)
        inclusive<<<grid(n), P>>>(d_in, d_out, n);
}
void blelloch_exclusive(const float *d_in, float *d_out, int n)
{
    if (n)
        exclusive<flat><<<grid(n), P>>>(d_in, d_out, n);
}
void blelloch_exclusive_padded(const float *d_in, float *d_out, int n)
{
    if (n)
        exclusive<skewed><<<grid(n), P>>>(d_in, d_out, n);
}
