// expect: OUT_OF_BOUNDS | aligned pointers and offsets
// The first addition happens in registers, three steps in shared memory, the last five by guarded
// shuffles of the first warp.
#include <cuda_runtime.h>
#include "divergence_free_reduction.h"

enum { T = DIVERGENCE_FREE_BLOCK, S = DIVERGENCE_FREE_SECTION };

__global__ void reduce_kernel(const float *d_in, float *d_partial, unsigned n)
{
    __shared__ float s[T / 2];
    const unsigned t = threadIdx.x, a = blockIdx.x * S + 4 * t;
    float sum = 0.0f;
    if (t < T / 2) { /* four warps load all, 16 bytes a lane */
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (a + 3 < n) {
            v = *(const float4 *)(d_in + a);
        } else if (a < n) {
            v.x = d_in[a];
            v.y = a + 1 < n ? d_in[a + 1] : 0.0f;
            v.z = a + 2 < n ? d_in[a + 2] : 0.0f;
        }
        sum = v.x + v.y + (v.z + v.w);
        s[t] = sum;
    }
    for (unsigned half = T / 4; half >= 32; half >>= 1) {
        __syncthreads();
        if (t < half)
            s[t] = sum += s[t + half];
    }
    if (t < 32) {
        for (unsigned half = 16; half > 0; half >>= 1) {
            const float right = __shfl_down_sync(~0u, sum, half);
            if (t < half)
                sum += right;
        }
        if (t == 0)
            d_partial[blockIdx.x] = sum;
    }
}

static unsigned sections(unsigned n) { return n / S + (n % S != 0); }

void reduce_compacted_partial(const float *d_in, float *d_partial, int n)
{
    if (n > 0)
        reduce_kernel<<<sections(n), T>>>(d_in, d_partial, n);
}

// All levels lie one after the other in one array.
void reduce_compacted_total(const float *d_in, float *d_sum, int n)
{
    if (n <= 0) {
        cudaMemset(d_sum, 0, sizeof *d_sum);
        return;
    }
    size_t room = 0;
    for (unsigned k = n; k > S; k = sections(k))
        room += (sections(k) + 3) / 4 * 4;
    float *d_levels = NULL;
    if (room > 0 && cudaMalloc((void **)&d_levels, room * sizeof(float)) != cudaSuccess)
        return;
    float *next = d_levels;
    unsigned left = n;
    while (left > S) {
        reduce_compacted_partial(d_in, next, left);
        left = sections(left);
        d_in = next;
        next += left;
    }
    reduce_compacted_partial(d_in, d_sum, left);
    cudaFree(d_levels);
}
