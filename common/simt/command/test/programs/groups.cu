/*
 * groups.cu: cooperative groups: blocks, tiles, coalesced groups, reduce, scan, a grid barrier.
 */
#include <stdio.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__device__ int sumReduction(cg::thread_group g, int *x, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = val;
        g.sync();
        if (lane < i)
            val += x[lane + i];
        g.sync();
    }
    return g.thread_rank() == 0 ? val : -1;
}
__global__ void cgkernel(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    extern __shared__ int workspace[];
    int input = block.thread_rank();
    int output = sumReduction(block, workspace, input);
    if (block.thread_rank() == 0)
        out[0] = output;
    block.sync();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int offset = block.thread_rank() - tile.thread_rank();
    output = sumReduction(tile, workspace + offset, tile.thread_rank());
    if (tile.thread_rank() == 0)
        out[1 + tile.meta_group_rank()] = output;
}
template <int S>
__device__ int tile_sum(cg::thread_block_tile<S> tile, int v)
{
    for (int i = tile.size() / 2; i > 0; i /= 2)
        v += tile.shfl_down(v, i);
    return v;
}
__global__ void sums(const int *in, int *total, double *tile_max, int *ranks, int n)
{
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int v = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        v += in[i];
    int s = tile_sum<32>(warp, v);
    if (warp.thread_rank() == 0)
        atomicAdd(total, s);
    int all = cg::reduce(warp, v, cg::plus<int>());
    if (warp.thread_rank() == 31)
        atomicAdd(total + 1, all);
    auto quad = cg::tiled_partition<4>(warp);
    double m = cg::reduce(quad, (double)in[grid.thread_rank()], cg::greater<double>());
    if (quad.thread_rank() == 0)
        tile_max[grid.thread_rank() / 4] = m;
    unsigned odd = quad.ballot(threadIdx.x & 1);
    if (odd != 10 || !quad.any(threadIdx.x % 4 == 2) || quad.all(threadIdx.x % 4 == 2) ||
        quad.shfl_xor(threadIdx.x, 1) != (threadIdx.x ^ 1) ||
        quad.shfl_up(threadIdx.x, 1) != threadIdx.x - (threadIdx.x % 4 > 0))
        atomicAdd(total + 2, 1);
    if (in[grid.thread_rank()] > 3) {
        cg::coalesced_group active = cg::coalesced_threads();
        ranks[grid.thread_rank()] = active.thread_rank() + 100 * active.size();
        int first = active.shfl(threadIdx.x, 0);
        if (active.thread_rank() == 0 && first != threadIdx.x)
            atomicAdd(total + 2, 1);
        int sum = cg::reduce(active, 1, cg::plus<int>());
        if (sum != active.num_threads())
            atomicAdd(total + 2, 1);
        auto part = cg::labeled_partition(active, in[grid.thread_rank()] & 1);
        if (part.match_any(5) != (part.size() == 32 ? ~0u : (1u << part.size()) - 1))
            atomicAdd(total + 2, 1);
    } else
        ranks[grid.thread_rank()] = -1;
    int inc = cg::inclusive_scan(warp, v), exc = cg::exclusive_scan(warp, v);
    if (inc != exc + v || (warp.thread_rank() == 31 && inc != all))
        atomicAdd(total + 2, 1);
}
/* of a block of 50 threads: the last tiles lack lanes */
__global__ void short_tiles(int *wrong)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto quad = cg::tiled_partition<4>(warp);
    unsigned t = threadIdx.x, odd = warp.ballot(t & 1), odd_of_4 = quad.ballot(t & 1);
    warp.sync();
    if (odd != (t < 32 ? 0xaaaaaaaa : 0x2aaaa) || odd_of_4 != (t < 48 ? 10 : 2) ||
        warp.thread_rank() != t % 32 || warp.shfl((int)t, 0) != (int)t / 32 * 32 ||
        warp.any(t == 45) != (t >= 32) || !warp.all(1) ||
        cg::inclusive_scan(warp, 1) != (int)t % 32 + 1)
        atomicAdd(wrong, 1);
}
__global__ void phases(int *a, int *b, int n)
{
    auto grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        a[i] = i;
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        b[i] = a[n - 1 - i];
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        int s = 0;
        for (int i = 0; i < n; i++)
            s += b[i];
        a[0] = s;
    }
}
int main()
{
    int *out, h[16], bad = 0;
    cudaMalloc(&out, 64);
    cgkernel<<<1, 64, 64 * sizeof(int)>>>(out);
    cudaMemcpy(h, out, 20, cudaMemcpyDeviceToHost);
    bad += h[0] != 2016 || h[1] != 120 || h[4] != 120;
    const int n = 512;
    static int in[n], ranks[n];
    static double mx[n / 4];
    int want = 0, *din, *dt, *dr;
    double *dm;
    for (int i = 0; i < n; i++)
        want += in[i] = i * 7 % 11;
    cudaMalloc(&din, sizeof in);
    cudaMalloc(&dt, 12);
    cudaMemset(dt, 0, 12);
    cudaMalloc(&dr, sizeof in);
    cudaMalloc(&dm, sizeof mx);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    sums<<<4, 128>>>(din, dt, dm, dr, n);
    short_tiles<<<1, 50>>>(dt + 2);
    cudaMemcpy(h, dt, 12, cudaMemcpyDeviceToHost);
    cudaMemcpy(ranks, dr, sizeof ranks, cudaMemcpyDeviceToHost);
    cudaMemcpy(mx, dm, sizeof mx, cudaMemcpyDeviceToHost);
    if (h[0] != want || h[1] != want || h[2])
        printf("sums %d %d of %d, %d\n", h[0], h[1], want, h[2]), bad++;
    for (int w = 0; w < n; w += 32) {
        int size = 0, r = 0;
        for (int i = w; i < w + 32; i++)
            size += in[i] > 3;
        for (int i = w; i < w + 32; i++) {
            int e = in[i] > 3 ? r++ + 100 * size : -1;
            if (ranks[i] != e)
                bad++;
        }
    }
    for (int q = 0; q < n / 4; q++) {
        double m = 0;
        for (int i = 0; i < 4; i++)
            m = fmax(m, in[4 * q + i]);
        bad += mx[q] != m;
    }
    int *a, *b, N = 1000, blocks, dev = 0, coop = 0;
    cudaMalloc(&a, 4 * N);
    cudaMalloc(&b, 4 * N);
    cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, dev);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, phases, 128, 0);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, dev);
    void *args[] = {&a, &b, &N};
    dim3 grid(min(4, p.multiProcessorCount * blocks)), block(128);
    if (!coop || cudaLaunchCooperativeKernel((void *)phases, grid, block, args, 0, 0))
        bad++;
    cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost);
    if (h[0] != N * (N - 1) / 2)
        printf("phases %d\n", h[0]), bad++;
    puts(bad ? "FAIL" : "PASS");
    cudaFree(out);
    cudaFree(din);
    cudaFree(dt);
    cudaFree(dr);
    cudaFree(dm);
    cudaFree(a);
    cudaFree(b);
}
