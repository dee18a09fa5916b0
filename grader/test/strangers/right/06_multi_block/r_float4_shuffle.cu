// expect: PASS | float4 where aligned, the threads' sums scanned by shuffles, cudaMallocAsync
#include <cuda_runtime.h>
#include <cstdint>

#include "multi_block.h"

enum { P = MULTI_BLOCK_THREADS, K = MULTI_BLOCK_PER_THREAD, T = MULTI_BLOCK_TILE, W = P / 32 };

static __device__ int pad(int i) { return i + i / MULTI_BLOCK_BANKS; }

static __device__ bool aligned(const void *p) { return ((uintptr_t)p & 15) == 0; }

static __device__ void load(float *s, const float *in, long long first, int n)
{
    const int t = threadIdx.x;
    if (n - first >= T && aligned(in)) {
        const float4 *v = (const float4 *)(in + first);
#pragma unroll
        for (int k = t; k < T / 4; k += P) {
            const float4 x = v[k];
            s[pad(4 * k)] = x.x;
            s[pad(4 * k) + 1] = x.y;
            s[pad(4 * k) + 2] = x.z;
            s[pad(4 * k) + 3] = x.w;
        }
    } else {
        for (int k = t; k < T; k += P)
            s[pad(k)] = first + k < n ? in[first + k] : 0.0f;
    }
}

static __device__ float warp_scan(float sum)
{
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d += d) {
        float left = __shfl_up_sync(~0u, sum, d);
        if (lane >= d)
            sum += left;
    }
    return sum;
}

static __device__ void scan_and_store(float *s, float *out, long long first, int n, float carry)
{
    __shared__ float s_warp[W];
    const int t = threadIdx.x, mine = t * K;
    float run[K], sum = 0.0f;

    __syncthreads();
    for (int k = 0; k < K; k++) {
        sum += s[pad(mine + k)];
        run[k] = sum;
    }
    float upto = warp_scan(sum);
    float before = __shfl_up_sync(~0u, upto, 1);
    if (t % 32 == 0)
        before = 0.0f;
    if (t % 32 == 31)
        s_warp[t / 32] = upto;
    __syncthreads();
    before += carry;
    if (t / 32 == 1)
        before += s_warp[0];
    for (int k = 0; k < K; k++)
        s[pad(mine + k)] = run[k] + before;
    __syncthreads();
    for (int k = t; k < T; k += P)
        if (first + k < n)
            out[first + k] = s[pad(k)];
}

__global__ void __launch_bounds__(P) scan_tiles(const float *in, float *out, float *sum, int n)
{
    __shared__ float s[T + T / MULTI_BLOCK_BANKS];
    const long long first = (long long)blockIdx.x * T;
    load(s, in, first, n);
    scan_and_store(s, out, first, n, 0.0f);
    if (threadIdx.x == P - 1 && blockIdx.x != gridDim.x - 1)
        sum[blockIdx.x] = s[pad(T - 1)];
}

__global__ void __launch_bounds__(P) scan_tiles_from(const float *in, float *out, const float *sum, int n)
{
    __shared__ float s[T + T / MULTI_BLOCK_BANKS];
    const long long first = (long long)blockIdx.x * T;
    load(s, in, first, n);
    scan_and_store(s, out, first, n, blockIdx.x ? __ldg(&sum[blockIdx.x - 1]) : 0.0f);
}

__global__ void propagate(float *out, const float *sum, int n)
{
    const long long first = (blockIdx.x + 1LL) * T;
    const float before = sum[blockIdx.x];
    if (n - first >= T && aligned(out)) {
        float4 *v = (float4 *)(out + first);
        for (int k = threadIdx.x; k < T / 4; k += P) {
            float4 x = v[k];
            x.x += before;
            x.y += before;
            x.z += before;
            x.w += before;
            v[k] = x;
        }
    } else {
        for (long long i = first + threadIdx.x; i < n && i < first + T; i += P)
            out[i] += before;
    }
}

__global__ void reduce_tiles(const float *in, float *out)
{
    __shared__ float s_warp[W];
    const long long first = (long long)blockIdx.x * T;
    float sum = 0.0f;
    for (int k = threadIdx.x; k < T; k += P)
        sum += in[first + k];
    for (int d = 16; d; d /= 2) {
        float right = __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x % 32 < d)
            sum += right;
    }
    if (threadIdx.x % 32 == 0)
        s_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_warp[0] + s_warp[1];
}

static int tiles(int n) { return n / T + (n % T != 0); }

void scan_then_propagate(const float *d_in, float *d_out, int n)
{
    if (n <= 0)
        return;
    const int more = tiles(n) - 1;
    float *d_sum = nullptr;
    if (more && cudaMallocAsync((void **)&d_sum, more * sizeof(float), 0) != cudaSuccess)
        return;
    scan_tiles<<<more + 1, P>>>(d_in, d_out, d_sum, n);
    if (!more)
        return;
    scan_then_propagate(d_sum, d_sum, more);
    propagate<<<more, P>>>(d_out, d_sum, n);
    cudaFreeAsync(d_sum, 0);
}

void reduce_then_scan(const float *d_in, float *d_out, int n)
{
    if (n <= 0)
        return;
    const int more = tiles(n) - 1;
    float *d_sum = nullptr;
    if (more) {
        if (cudaMallocAsync((void **)&d_sum, more * sizeof(float), 0) != cudaSuccess)
            return;
        reduce_tiles<<<more, P>>>(d_in, d_sum);
        reduce_then_scan(d_sum, d_sum, more);
    }
    scan_tiles_from<<<more + 1, P>>>(d_in, d_out, d_sum, n);
    if (more)
        cudaFreeAsync(d_sum, 0);
}
