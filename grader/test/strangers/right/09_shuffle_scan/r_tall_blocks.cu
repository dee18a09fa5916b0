// expect: PASS | whole program: blocks of 32 x 8, template over the body, block scan keeps an exclusive scan of the warps' sums in lanes of the last warp
#include <cuda_runtime.h>

#include "shuffle_scan.h"

namespace {
constexpr int S = SHUFFLE_SCAN_SECTION, WARPS = S / 32;
constexpr unsigned ALL = 0xffffffff;

struct neighbour {
    static __device__ float of(float v)
    {
        float left = __shfl_up_sync(ALL, v, 1);
        return v - left;
    }
};

struct broadcast {
    static __device__ float of(float v)
    {
        const unsigned set = __ballot_sync(ALL, v < 0);
        const float got = __shfl_sync(ALL, v, 31 - __clz(set | 1u));
        if (set == 0)
            return 0;
        return got;
    }
};

struct reduce {
    static __device__ float of(float v)
    {
#pragma unroll
        for (int mask = 1; mask < 32; mask *= 2)
            v = v + __shfl_xor_sync(ALL, v, mask);
        return v;
    }
};

struct scan {
    static __device__ float of(float v)
    {
        for (int d = 1; d <= 16; d <<= 1) {
            float got = __shfl_up_sync(ALL, v, d);
            if ((int)threadIdx.x < d)
                continue;
            v += got;
        }
        return v;
    }
};

template <int D> __device__ void step(float &v)
{
    asm("{ .reg .pred from_left; .reg .f32 got;\n"
        "  shfl.sync.up.b32 got|from_left, %0, %1, 0, -1;\n"
        "  @from_left add.rn.f32 %0, got, %0; }"
        : "+f"(v)
        : "n"(D));
}

struct predicate {
    static __device__ float of(float v)
    {
        step<1>(v);
        step<2>(v);
        step<4>(v);
        step<8>(v);
        step<16>(v);
        return v;
    }
};

struct block {
    static __device__ float of(float v)
    {
        __shared__ float s[WARPS];
        const int warp = threadIdx.y, lane = threadIdx.x;
        v = predicate::of(v);
        if (lane == 31)
            s[warp] = v;
        __syncthreads();
        if (warp == WARPS - 1) {
            float total = 0.0f;
            if (lane < WARPS)
                total = s[lane];
            float upto = predicate::of(total);
            float before = __shfl_up_sync(ALL, upto, 1);
            if (lane < WARPS)
                s[lane] = lane == 0 ? 0.0f : before;
        }
        __syncthreads();
        return s[warp] + v;
    }
};

struct shared {
    static __device__ float of(float v)
    {
        __shared__ float s[2][S];
        const int t = threadIdx.y * 32 + threadIdx.x;
        int at = 0;
        for (int d = 1; d < S; d *= 2) {
            s[at][t] = v;
            __syncthreads();
            if (t >= d)
                v += s[at][t - d];
            at = 1 - at;
        }
        return v;
    }
};

template <class Body> __global__ void run(const float *__restrict__ in, float *__restrict__ out, int n)
{
    const int i = (blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x;
    float v = 0.0f;
    if (i < n)
        v = in[i];
    v = Body::of(v);
    if (i < n)
        out[i] = v;
}

template <class Body> void start(const float *in, float *out, int n)
{
    if (n != 0)
        run<Body><<<(n + S - 1u) / S, dim3(32, WARPS)>>>(in, out, n);
}
} // namespace

void shuffle_neighbour(const float *d_in, float *d_out, int n) { start<neighbour>(d_in, d_out, n); }
void shuffle_broadcast(const float *d_in, float *d_out, int n) { start<broadcast>(d_in, d_out, n); }
void shuffle_reduce(const float *d_in, float *d_out, int n) { start<reduce>(d_in, d_out, n); }
void shuffle_scan(const float *d_in, float *d_out, int n) { start<scan>(d_in, d_out, n); }
void shuffle_scan_predicate(const float *d_in, float *d_out, int n) { start<predicate>(d_in, d_out, n); }
void shuffle_block_scan(const float *d_in, float *d_out, int n) { start<block>(d_in, d_out, n); }
void shared_block_scan(const float *d_in, float *d_out, int n) { start<shared>(d_in, d_out, n); }
