// shows: cub::BlockAdjacentDifference: left, right, partial tiles
#include <cub/block/block_adjacent_difference.cuh>

#include "check.h"

constexpr int threads = 64, items = 3, tile = threads * items;

struct minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};

__global__ void differences(const int *in, int *left, int *right, int *some, int valid)
{
    typedef cub::BlockAdjacentDifference<int, threads> Difference;
    __shared__ typename Difference::TempStorage scratch;
    int base = threadIdx.x * items, x[items], y[items];
    for (int k = 0; k < items; k++)
        x[k] = in[base + k];
    Difference(scratch).SubtractLeft(x, y, minus());
    for (int k = 0; k < items; k++)
        left[base + k] = y[k];
    __syncthreads();
    Difference(scratch).SubtractRight(x, y, minus());
    for (int k = 0; k < items; k++)
        right[base + k] = y[k];
    __syncthreads();
    Difference(scratch).SubtractLeftPartialTile(x, y, minus(), valid);
    for (int k = 0; k < items; k++)
        some[base + k] = y[k];
}

int main()
{
    const std::vector<int> in = numbers(tile, 1000);
    const int valid = 100;
    std::vector<int> l = in, r = in, p = in;
    for (int i = 0; i < tile; i++) {
        if (i)
            l[i] = in[i] - in[i - 1];
        if (i + 1 < tile)
            r[i] = in[i] - in[i + 1];
        if (i && i < valid)
            p[i] = in[i] - in[i - 1];
    }
    on_device<int> from(in), left(tile), right(tile), some(tile);
    differences<<<1, threads>>>(from, left, right, some, valid);
    same("left", left.back(), l);
    same("right", right.back(), r);
    same("partial", some.back(), p);
    return verdict();
}
