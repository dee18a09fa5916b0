// shows: cub::WarpReduce: sums, an operator, fewer lanes, segments by heads and tails
#include <cub/warp/warp_reduce.cuh>

#include "check.h"

__global__ void reduce(const int *in, int *all, int *some, int *odd, int *heads)
{
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpReduce<int, 12> Twelve; /* no power of two: through shared memory */
    __shared__ typename Reduce::TempStorage scratch[2];
    __shared__ typename Twelve::TempStorage twelve;
    int t = threadIdx.x, w = t / 32;
    int sum = Reduce(scratch[w]).Sum(in[t]);
    __syncwarp();
    int most = Reduce(scratch[w]).Reduce(in[t], cub::Max(), 20);
    __syncwarp();
    int run = Reduce(scratch[w]).HeadSegmentedSum(in[t], t % 5 == 0);
    __syncwarp();
    if (t % 32 == 0) {
        all[w] = sum;
        some[w] = most;
    }
    if (t % 5 == 0 || t % 32 == 0)
        heads[t] = run;
    if (t < 12) {
        int few = Twelve(twelve).Sum(in[t]);
        if (t == 0)
            *odd = few;
    }
}

int main()
{
    const std::vector<int> in = numbers(64, 1000);
    std::vector<int> all(2), some(2), run(64), got;
    int few = 0;
    for (int t = 0; t < 64; t++) {
        all[t / 32] += in[t];
        if (t % 32 < 20 && in[t] > some[t / 32])
            some[t / 32] = in[t];
        if (t < 12)
            few += in[t];
        if (t % 5 == 0 || t % 32 == 0)
            for (int i = t; i == t || (i % 5 && i % 32); i++)
                run[t] += in[i];
    }
    on_device<int> from(in), a(2), s(2), o(1), h(std::vector<int>(64));
    reduce<<<1, 64>>>(from, a, s, o, h);
    same("sum", a.back(), all);
    same("maximum of 20 lanes", s.back(), some);
    same("segments", h.back(), run);
    holds("twelve lanes", o.back()[0] == few);
    return verdict();
}
