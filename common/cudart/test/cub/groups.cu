/*
 * groups.cu: CUDA's own cooperative groups on the engine: tiles of all sizes with their
 * collectives, coalesced threads, partitions, and a barrier of the whole grid. Not of CUB, but
 * compiled and run as CUB is.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "cub_test.h"

namespace cg = cooperative_groups;

enum { BLOCK = 128 };

/* Sum, inclusive sum and greatest of each tile, and the value of its first thread. */
template <typename T, int SIZE>
__global__ void by_tiles(const T *in, T *sum, T *scan, T *greatest, T *first, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    T v = i < n ? in[i] : 0;
    T total = cg::reduce(tile, v, cg::plus<T>()), to_here = cg::inclusive_scan(tile, v),
      most = cg::reduce(tile, v, cg::greater<T>());
    T front = tile.shfl(v, 0);
    if (i >= n)
        return;
    sum[i] = total;
    scan[i] = to_here;
    greatest[i] = most;
    first[i] = front;
}

template <typename T, int SIZE> static void tiles(int n)
{
    std::vector<T> in(n), sum(n), scan(n), greatest(n), first(n);
    for (T &x : in)
        x = draw_between(-100, 100);
    for (int i = 0; i < n; i += SIZE) {
        T so_far = 0, most = i + SIZE > n ? (T)0 : in[i];
        for (int k = i; k < i + SIZE && k < n; k++) {
            scan[k] = so_far += in[k];
            most = most > in[k] ? most : in[k];
        }
        for (int k = i; k < i + SIZE && k < n; k++)
            sum[k] = so_far, greatest[k] = most, first[k] = in[i];
    }
    device_array<T> d_in(in), d_sum(n), d_scan(n), d_greatest(n), d_first(n);
    if (n)
        by_tiles<T, SIZE><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in.data, d_sum.data, d_scan.data,
                                                              d_greatest.data, d_first.data, n);
    MUST(cudaDeviceSynchronize());
    same("sum", sum, d_sum.host(n));
    same("scan", scan, d_scan.host(n));
    same("greatest", greatest, d_greatest.host(n));
    same("first", first, d_first.host(n));
}

/* Of the threads of a warp that hold a negative value: how many there are, and the rank of each;
   then sums of the two parts of a warp. */
__global__ void by_those_who_come(const int *in, int *size, int *rank, int *part, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int v = i < n ? in[i] : 0;
    if (v < 0) {
        auto here = cg::coalesced_threads();
        size[i] = here.size();
        rank[i] = here.thread_rank();
    }
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto alike = cg::binary_partition(warp, v < 0);
    int sum = cg::reduce(alike, v, cg::plus<int>());
    if (i < n)
        part[i] = sum;
}

static void coalesced(int n)
{
    std::vector<int> in(n), size(n), rank(n), part(n);
    for (int &x : in)
        x = draw_between(-100, 100);
    for (int i = 0; i < n; i++) {
        int low = i / 32 * 32;
        for (int k = low; k < low + 32 && k < n; k++) {
            bool alike = (in[k] < 0) == (in[i] < 0);
            part[i] += alike ? in[k] : 0;
            size[i] += in[i] < 0 && alike;
            rank[i] += in[i] < 0 && alike && k < i;
        }
    }
    device_array<int> d_in(in), d_size(std::vector<int>(n, 0)), d_rank(std::vector<int>(n, 0)),
        d_part(n);
    if (n)
        by_those_who_come<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in.data, d_size.data, d_rank.data,
                                                              d_part.data, n);
    MUST(cudaDeviceSynchronize());
    same("size", size, d_size.host(n));
    same("rank", rank, d_rank.host(n));
    same("part", part, d_part.host(n));
}

/* Two neighbours are added after a barrier of the grid, three times: each element then sums
   eight. */
__global__ void by_the_grid(int *data, int *other, int n)
{
    auto grid = cg::this_grid();
    for (int round = 0; round < 3; round++) {
        for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
            other[i] = data[i] + data[(i + (1 << round)) % n];
        grid.sync();
        int *done = other;
        other = data;
        data = done;
    }
}

static void grid_barrier(int n)
{
    int per_multiprocessor, multiprocessors;
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor,
                                                       (const void *)by_the_grid, BLOCK, 0));
    MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    std::vector<int> in(n), expected(n);
    for (int &x : in)
        x = draw_between(-100, 100);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            expected[i] += in[(i + k) % n];
    device_array<int> d_data(in), d_other(n);
    void *arguments[] = { &d_data.data, &d_other.data, &n };
    if (n)
        MUST(cudaLaunchCooperativeKernel((const void *)by_the_grid,
                                         dim3(per_multiprocessor * multiprocessors), dim3(BLOCK),
                                         arguments, 0, 0));
    MUST(cudaDeviceSynchronize());
    same("sums of eight", expected, d_other.host(n));
}

int main()
{
    run_cases("tiles of 32 ints", STARTS_IN_ANY_ORDER, tiles<int, 32>);
    run_cases("tiles of 4 ints", STARTS_IN_ANY_ORDER, tiles<int, 4>);
    run_cases("tiles of 16 long longs", STARTS_IN_ANY_ORDER, tiles<long long, 16>);
    run_cases("coalesced threads", STARTS_IN_ANY_ORDER, coalesced);
    run_cases("grid barrier", STARTS_IN_ANY_ORDER, grid_barrier);
    return report("cooperative groups");
}
