// shows: cub::BlockScan: three algorithms, inclusive, exclusive, aggregate, prefix callback
#include <cub/block/block_scan.cuh>

#include "check.h"

constexpr int threads = 128, items = 3;

struct running {
    int total;
    __device__ int operator()(int aggregate)
    {
        int before = total;
        total += aggregate;
        return before;
    }
};

template <cub::BlockScanAlgorithm algorithm>
__global__ void scan(const int *in, int *inclusive, int *exclusive, int *sums)
{
    typedef cub::BlockScan<int, threads, algorithm> Scan;
    __shared__ typename Scan::TempStorage scratch;
    int base = (blockIdx.x * threads + threadIdx.x) * items, x[items], y[items], sum;
    for (int k = 0; k < items; k++)
        x[k] = in[base + k];
    Scan(scratch).InclusiveSum(x, y, sum);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
    for (int k = 0; k < items; k++)
        inclusive[base + k] = y[k];
    Scan(scratch).ExclusiveScan(x, y, 1000, cub::Max());
    for (int k = 0; k < items; k++)
        exclusive[base + k] = y[k];
}

template <cub::BlockScanAlgorithm algorithm> __global__ void tiles(const int *in, int *out, int n)
{
    typedef cub::BlockScan<int, threads, algorithm> Scan;
    __shared__ typename Scan::TempStorage scratch;
    running prefix = { 0 };
    for (int base = 0; base < n; base += threads) {
        int i = base + threadIdx.x, x = i < n ? in[i] : 0;
        Scan(scratch).InclusiveSum(x, x, prefix);
        __syncthreads();
        if (i < n)
            out[i] = x;
    }
}

template <cub::BlockScanAlgorithm algorithm> static void check(const std::vector<int> &in)
{
    constexpr int tile = threads * items;
    int n = (int)in.size(), blocks = n / tile;
    on_device<int> from(in), inclusive(n), exclusive(n), sums(blocks), all(n);
    scan<algorithm><<<blocks, threads>>>(from, inclusive, exclusive, sums);
    tiles<algorithm><<<1, threads>>>(from, all, n - 5);
    std::vector<int> sum(n), most(n), each(blocks), running(n - 5);
    for (int i = 0, total = 0; i < n; i++) {
        bool first = i % tile == 0;
        sum[i] = in[i] + (first ? 0 : sum[i - 1]);
        most[i] = first ? 1000 : in[i - 1] > most[i - 1] ? in[i - 1] : most[i - 1];
        each[i / tile] = sum[i];
        if (i < n - 5)
            running[i] = total += in[i];
    }
    same("inclusive sum", inclusive.back(), sum);
    same("exclusive maximum", exclusive.back(), most);
    same("aggregate", sums.back(), each);
    same("tiles", all.back(n - 5), running);
}

int main()
{
    const std::vector<int> in = numbers(threads * items * 4, 2000);
    check<cub::BLOCK_SCAN_RAKING>(in);
    check<cub::BLOCK_SCAN_RAKING_MEMOIZE>(in);
    check<cub::BLOCK_SCAN_WARP_SCANS>(in);
    return verdict();
}
