// shows: cub::WarpScan: inclusive, exclusive, both, logical warps of 8, broadcast
#include <cub/warp/warp_scan.cuh>

#include "check.h"

template <int width> __global__ void scan(const int *in, int *inclusive, int *exclusive, int *sums)
{
    typedef cub::WarpScan<int, width> Scan;
    __shared__ typename Scan::TempStorage scratch[64 / width];
    int t = threadIdx.x, up, before, sum, x = in[t];
    Scan(scratch[t / width]).InclusiveSum(x, up, sum);
    __syncwarp();
    Scan(scratch[t / width]).ExclusiveScan(x, before, -1, cub::Max());
    __syncwarp();
    inclusive[t] = up;
    exclusive[t] = before;
    sums[t] = sum + Scan(scratch[t / width]).Broadcast(x, 2);
}

template <int width> static void check()
{
    const std::vector<int> in = numbers(64, 1000);
    std::vector<int> up(64), before(64), sum(64);
    for (int t = 0; t < 64; t++) {
        up[t] = in[t] + (t % width ? up[t - 1] : 0);
        before[t] = t % width == 0 ? -1 : in[t - 1] > before[t - 1] ? in[t - 1] : before[t - 1];
    }
    for (int t = 0; t < 64; t++)
        sum[t] = up[t / width * width + width - 1] + in[t / width * width + 2];
    on_device<int> from(in), inclusive(64), exclusive(64), sums(64);
    scan<width><<<1, 64>>>(from, inclusive, exclusive, sums);
    same("inclusive", inclusive.back(), up);
    same("exclusive", exclusive.back(), before);
    same("sums", sums.back(), sum);
}

int main()
{
    check<32>();
    check<8>();
    return verdict();
}
