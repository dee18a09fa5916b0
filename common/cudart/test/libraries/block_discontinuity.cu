// shows: cub::BlockDiscontinuity: heads, tails, both
#include <cub/block/block_discontinuity.cuh>
#include <cub/thread/thread_operators.cuh>

#include "check.h"

constexpr int threads = 64, items = 4, tile = threads * items;

__global__ void flag(const int *in, int *heads, int *tails)
{
    typedef cub::BlockDiscontinuity<int, threads> Flags;
    __shared__ typename Flags::TempStorage scratch;
    int base = threadIdx.x * items, x[items], head[items], tail[items], again[items];
    for (int k = 0; k < items; k++)
        x[k] = in[base + k];
    Flags(scratch).FlagHeadsAndTails(head, tail, x, cub::Inequality());
    __syncthreads();
    Flags(scratch).FlagHeads(again, x, cub::Inequality());
    for (int k = 0; k < items; k++) {
        heads[base + k] = head[k] + 2 * again[k];
        tails[base + k] = tail[k];
    }
}

int main()
{
    const std::vector<int> in = numbers(tile, 2);
    std::vector<int> head(tile), tail(tile);
    for (int i = 0; i < tile; i++) {
        head[i] = 3 * (i == 0 || in[i] != in[i - 1]);
        tail[i] = i == tile - 1 || in[i] != in[i + 1];
    }
    on_device<int> from(in), heads(tile), tails(tile);
    flag<<<1, threads>>>(from, heads, tails);
    same("heads", heads.back(), head);
    same("tails", tails.back(), tail);
    return verdict();
}
