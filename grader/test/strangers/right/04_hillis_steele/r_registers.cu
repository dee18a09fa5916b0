// expect: PASS | sums in registers, barriers in the other order, exclusive by shifting the store
#include <cuda_runtime.h>

#include "hillis_steele.h"

#define S HILLIS_STEELE_SECTION

static __device__ float scan(float *s, float sum)
{
    const unsigned t = threadIdx.x;

    s[t] = sum;
    __syncthreads();
    for (unsigned d = 1; d < S; d <<= 1) {
        if (t >= d)
            sum += s[t - d];
        __syncthreads();
        s[t] = sum;
        __syncthreads();
    }
    return sum;
}

__global__ void inclusive(const float *in, float *out, unsigned n)
{
    __shared__ float s[S];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = scan(s, i < n ? in[i] : 0);
    if (i >= n)
        return;
    out[i] = sum;
}

__global__ void exclusive(const float *in, float *out, unsigned n)
{
    __shared__ float s[S];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    scan(s, i < n ? in[i] : 0);
    if (i >= n)
        return;
    out[i] = threadIdx.x == 0 ? 0 : s[threadIdx.x - 1];
}

__global__ void double_buffer(const float *in, float *out, unsigned n)
{
    __shared__ float a[S], b[S];
    float *from = a, *to = b;
    unsigned t = threadIdx.x, i = blockIdx.x * S + t;
    float sum = i < n ? in[i] : 0;
    for (unsigned d = 1; d < S; d *= 2) {
        from[t] = sum;
        __syncthreads();
        if (t >= d)
            sum += from[t - d];
        float *swap = from;
        from = to;
        to = swap;
    }
    if (i < n)
        out[i] = sum;
}

static unsigned blocks(unsigned n) { return (n + S - 1) / S; }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n)
        inclusive<<<blocks(n), S>>>(d_in, d_out, n);
}
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    if (n)
        double_buffer<<<blocks(n), S>>>(d_in, d_out, n);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    if (n)
        exclusive<<<blocks(n), S>>>(d_in, d_out, n);
}
