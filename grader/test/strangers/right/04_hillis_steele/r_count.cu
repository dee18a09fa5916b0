// expect: PASS | partial sections: idle threads only meet the barriers; while loops; if and else; references
#include <cuda_runtime.h>

#include "hillis_steele.h"

typedef float row[HILLIS_STEELE_SECTION];

__device__ void one_step(row &s, int stride, int count)
{
    float mine = 0.0f;
    const int t = threadIdx.x;
    const bool adds = t >= stride && t < count;
    __syncthreads();
    if (adds)
        mine = s[t] + s[t - stride];
    __syncthreads();
    if (adds)
        s[t] = mine;
}

__global__ void scan_one(const float *in, float *out, int n, int shift)
{
    __shared__ row s;
    const int first = blockIdx.x * HILLIS_STEELE_SECTION;
    const int count = min(HILLIS_STEELE_SECTION, n - first);
    const int t = threadIdx.x;
    if (t < count) {
        if (t < shift)
            s[t] = 0.0f;
        else
            s[t] = in[first + t - shift];
    }
    int stride = 1;
    while (stride < count) {
        one_step(s, stride, count);
        stride *= 2;
    }
    if (t < count)
        out[first + t] = s[t];
}

__global__ void scan_two(const float *in, float *out, int n)
{
    __shared__ row s[2];
    const int first = blockIdx.x * HILLIS_STEELE_SECTION;
    const int t = threadIdx.x, count = min(HILLIS_STEELE_SECTION, n - first);
    int now = 0;
    if (t < count)
        s[0][t] = in[first + t];
    for (int stride = 1; stride < count; stride += stride, now ^= 1) {
        __syncthreads();
        if (t >= count)
            continue;
        const row &old = s[now];
        row &fresh = s[now ^ 1];
        if (t < stride)
            fresh[t] = old[t];
        else
            fresh[t] = old[t] + old[t - stride];
    }
    if (t < count)
        out[first + t] = s[now][t];
}

static int grid(int n) { return n / HILLIS_STEELE_SECTION + (n % HILLIS_STEELE_SECTION > 0); }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (grid(n) > 0)
        scan_one<<<grid(n), HILLIS_STEELE_SECTION>>>(d_in, d_out, n, 0);
}
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    if (grid(n) > 0)
        scan_two<<<grid(n), HILLIS_STEELE_SECTION>>>(d_in, d_out, n);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    if (grid(n) > 0)
        scan_one<<<grid(n), HILLIS_STEELE_SECTION>>>(d_in, d_out, n, 1);
}
