#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include "block_strategies.h"
namespace cg = cooperative_groups;
#define SEC BLOCK_STRATEGIES_SECTION

__device__ float warp_scan(cg::thread_block_tile<32> w, float v)
{
    for (int d = 1; d < w.size(); d *= 2) {
        float u = w.shfl_up(v, d);
        if (w.thread_rank() >= d)
            v += u;
    }
    return v;
}
__global__ void k_prop(const float *in, float *out, int n)
{
    __shared__ float s[32];
    cg::thread_block b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    unsigned i = blockIdx.x * SEC + b.thread_rank(), wid = threadIdx.x >> 5;
    float v = warp_scan(w, i < (unsigned)n ? in[i] : 0);
    if (w.thread_rank() == 31)
        s[wid] = v;
    b.sync();
    if (wid == 0)
        s[w.thread_rank()] = warp_scan(w, s[w.thread_rank()]);
    b.sync();
    if (wid > 0)
        v = s[wid - 1] + v;
    if (i < (unsigned)n)
        out[i] = v;
}
__global__ void k_rake(const float *in, float *out, int n)
{
    __shared__ float s[32 * 33];
    cg::thread_block b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    int t = threadIdx.x, i = blockIdx.x * SEC + t;
    s[t / 32 * 33 + t % 32] = i < n ? in[i] : 0;
    b.sync();
    if (t < 32) {
        float r[32];
        for (int k = 0; k < 32; k++)
            r[k] = s[t * 33 + k];
        for (int k = 1; k < 32; k++)
            r[k] += r[k - 1];
        float before = w.shfl_up(warp_scan(w, r[31]), 1);
        for (int k = 0; k < 32; k++)
            s[t * 33 + k] = t ? before + r[k] : r[k];
    }
    b.sync();
    if (i < n)
        out[i] = s[t / 32 * 33 + t % 32];
}
__global__ void k_skl(const float *in, float *out, int n)
{
    __shared__ float s[SEC];
    cg::thread_block b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    int t = threadIdx.x, i = blockIdx.x * SEC + t;
    float v = warp_scan(w, i < n ? in[i] : 0);
    for (int half = 32; half < SEC; half *= 2) {
        if (t % half == half - 1)
            s[t] = v;
        b.sync();
        if (t & half)
            v += s[t / half * half - 1];
    }
    if (i < n)
        out[i] = v;
}
void block_propagate(const float *a, float *b, int n)
{
    if (n)
        k_prop<<<(n - 1) / SEC + 1, SEC>>>(a, b, n);
}
void block_raking(const float *a, float *b, int n)
{
    if (n)
        k_rake<<<(n - 1) / SEC + 1, SEC>>>(a, b, n);
}
void block_sklansky(const float *a, float *b, int n)
{
    if (n)
        k_skl<<<(n - 1) / SEC + 1, SEC>>>(a, b, n);
}
