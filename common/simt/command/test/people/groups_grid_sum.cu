// expect: right
// manner: cooperative groups
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(const int *x, int n, long long *out)
{
    cg::grid_group grid = cg::this_grid();
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int s = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
        s += x[i];
    s = cg::reduce(warp, s, cg::plus<int>());
    __shared__ int part[8];
    if (warp.thread_rank() == 0)
        part[warp.meta_group_rank()] = s;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        int v = warp.thread_rank() < warp.meta_group_size() ? part[warp.thread_rank()] : 0;
        v = cg::reduce(warp, v, cg::plus<int>());
        if (warp.thread_rank() == 0)
            out[1 + blockIdx.x] = v;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        long long t = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            t += out[1 + b];
        out[0] = t;
    }
}
int main()
{
    int n = 10000, *d;
    long long *o, h, w = 0;
    int *x = new int[n];
    for (int i = 0; i < n; i++)
        w += x[i] = i % 100;
    cudaMalloc(&d, n * 4);
    cudaMalloc(&o, 17 * 8);
    cudaMemcpy(d, x, n * 4, cudaMemcpyHostToDevice);
    int supports = 0, dev = 0, nb = 0;
    cudaDeviceGetAttribute(&supports, cudaDevAttrCooperativeLaunch, dev);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, sum, 256, 0);
    int blocks = nb > 4 ? 4 : nb;
    void *args[] = { &d, &n, &o };
    if (!supports)
        return 1;
    cudaLaunchCooperativeKernel((void *)sum, dim3(blocks), dim3(256), args);
    cudaMemcpy(&h, o, 8, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(o);
    delete[] x;
    puts(h == w ? "PASS" : "FAIL");
}
