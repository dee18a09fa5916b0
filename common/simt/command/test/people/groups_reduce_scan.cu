// expect: right
// manner: cooperative groups
// flags: -std=c++17
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void ranks(const int *in, int *sum, int *most, int *before, int n)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = block.group_index().x * block.size() + block.thread_rank(), v = i < n ? in[i] : 0;
    int total = cg::reduce(warp, v, cg::plus<int>()), top = cg::reduce(warp, v, cg::greater<int>());
    int mine = cg::exclusive_scan(warp, v);
    if (i < n)
        before[i] = mine;
    if (warp.thread_rank() == 0) {
        atomicAdd(sum, total);
        atomicMax(most, top);
    }
}
int main()
{
    const int n = 300;
    int *in, *out, *before, wrong = 0, s = 0, m = 0;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&before, n * 4);
    cudaMallocManaged(&out, 8);
    for (int i = 0; i < n; i++) {
        in[i] = i * i % 31;
        s += in[i];
        m = in[i] > m ? in[i] : m;
    }
    out[0] = out[1] = 0;
    ranks<<<5, 64>>>(in, out, out + 1, before, n);
    cudaDeviceSynchronize();
    for (int i = 0, b = 0; i < n; i++) {
        if (i % 32 == 0)
            b = 0;
        wrong += before[i] != b;
        b += in[i];
    }
    wrong += out[0] != s || out[1] != m;
    cudaFree(in);
    cudaFree(before);
    cudaFree(out);
    puts(wrong ? "FAIL" : "PASS");
}
