// expect: right
// manner: cooperative groups
#include <cooperative_groups.h>
#include <algorithm>
#include <cstdio>
#include <vector>
using namespace cooperative_groups;
__device__ int atomicAggInc(int *ctr)
{
    auto g = coalesced_threads();
    int warp_res;
    if (g.thread_rank() == 0)
        warp_res = atomicAdd(ctr, g.size());
    return g.shfl(warp_res, 0) + g.thread_rank();
}
__global__ void filter_k(int *dst, int *nres, const int *src, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && src[i] > 0)
        dst[atomicAggInc(nres)] = src[i];
}
template <typename group_t> __device__ int sum(group_t g, int v)
{
    for (int i = g.size() / 2; i > 0; i /= 2)
        v += g.shfl_xor(v, i);
    return v;
}
__global__ void tile_sums(const int *in, int *out)
{
    auto tile8 = tiled_partition<8>(this_thread_block());
    int s = sum(tile8, in[threadIdx.x]);
    if (tile8.thread_rank() == 0)
        out[tile8.meta_group_rank()] = s;
    if (tile8.any(in[threadIdx.x] == 77) && tile8.thread_rank() == 0)
        out[tile8.meta_group_rank()] = -1;
}
int main()
{
    const int n = 1000;
    std::vector<int> h(n), got(n), want;
    for (int i = 0; i < n; i++) {
        h[i] = i * 37 % 101 - 50;
        if (h[i] > 0)
            want.push_back(h[i]);
    }
    int *src, *dst, *count, c = 0;
    cudaMalloc(&src, n * 4);
    cudaMalloc(&dst, n * 4);
    cudaMalloc(&count, 4);
    cudaMemcpy(src, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, 4);
    filter_k<<<4, 256>>>(dst, count, src, n);
    cudaMemcpy(&c, count, 4, cudaMemcpyDeviceToHost);
    got.resize(c);
    cudaMemcpy(got.data(), dst, c * 4, cudaMemcpyDeviceToHost);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    int sums[8], wrong = got != want;
    tile_sums<<<1, 64>>>(src, dst);
    cudaMemcpy(sums, dst, sizeof sums, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 8; t++) {
        int s = 0;
        for (int i = 0; i < 8; i++)
            s += h[8 * t + i];
        wrong += sums[t] != s;
    }
    cudaFree(src);
    cudaFree(dst);
    cudaFree(count);
    puts(wrong ? "FAIL" : "PASS");
}
