// shows: cub::BlockShuffle: offset, rotate, up, down
#include <cub/block/block_shuffle.cuh>

#include "check.h"

constexpr int threads = 96, items = 2, tile = threads * items;

__global__ void shuffle(const int *in, int *moved, int *turned, int *up, int *down)
{
    typedef cub::BlockShuffle<int, threads> Shuffle;
    __shared__ typename Shuffle::TempStorage scratch;
    int t = threadIdx.x, y = -1, x[items], z[items];
    for (int k = 0; k < items; k++)
        x[k] = in[t * items + k];
    Shuffle(scratch).Offset(x[0], y, 5);
    moved[t] = t + 5 < threads ? y : -1;
    __syncthreads();
    Shuffle(scratch).Rotate(x[0], y, 40);
    turned[t] = y;
    __syncthreads();
    z[0] = -1; /* thread 0 keeps it */
    Shuffle(scratch).Up(x, z);
    for (int k = 0; k < items; k++)
        up[t * items + k] = z[k];
    __syncthreads();
    z[items - 1] = -1; /* and the last thread this */
    Shuffle(scratch).Down(x, z);
    for (int k = 0; k < items; k++)
        down[t * items + k] = z[k];
}

int main()
{
    const std::vector<int> in = numbers(tile, 1000);
    std::vector<int> m(threads), r(threads), u(tile), d(tile);
    for (int t = 0; t < threads; t++) {
        m[t] = t + 5 < threads ? in[(t + 5) * items] : -1;
        r[t] = in[(t + 40) % threads * items];
    }
    for (int i = 0; i < tile; i++) {
        u[i] = i ? in[i - 1] : -1;
        d[i] = i + 1 < tile ? in[i + 1] : -1;
    }
    on_device<int> from(in), moved(threads), turned(threads), up(tile), down(tile);
    shuffle<<<1, threads>>>(from, moved, turned, up, down);
    same("offset", moved.back(), m);
    same("rotate", turned.back(), r);
    same("up", up.back(), u);
    same("down", down.back(), d);
    return verdict();
}
