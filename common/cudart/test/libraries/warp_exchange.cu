// shows: cub::WarpExchange: blocked to striped and back, scatter
#include <cub/warp/warp_exchange.cuh>

#include "check.h"

constexpr int items = 4, lanes = 16, warps = 4, tile = items * lanes;

__global__ void exchange(const int *in, int *striped, int *blocked, int *scattered)
{
    typedef cub::WarpExchange<int, items, lanes> Exchange;
    __shared__ typename Exchange::TempStorage scratch[warps];
    int w = threadIdx.x / lanes, l = threadIdx.x % lanes, base = w * tile + l * items;
    int x[items], y[items], to[items];
    for (int k = 0; k < items; k++) {
        x[k] = in[base + k];
        to[k] = (l * items + k) * 7 % tile;
    }
    Exchange(scratch[w]).BlockedToStriped(x, y);
    for (int k = 0; k < items; k++)
        striped[base + k] = y[k];
    __syncwarp();
    Exchange(scratch[w]).StripedToBlocked(y, y);
    for (int k = 0; k < items; k++)
        blocked[base + k] = y[k];
    __syncwarp();
    Exchange(scratch[w]).ScatterToStriped(x, to);
    for (int k = 0; k < items; k++)
        scattered[w * tile + k * lanes + l] = x[k];
}

int main()
{
    const std::vector<int> in = numbers(tile * warps, 1000);
    std::vector<int> s(in.size()), moved(in.size());
    for (int i = 0; i < (int)in.size(); i++) {
        int w = i / tile, l = i % tile / items, k = i % items;
        s[i] = in[w * tile + k * lanes + l];
        moved[w * tile + i % tile * 7 % tile] = in[i];
    }
    on_device<int> from(in), striped(in.size()), blocked(in.size()), scattered(in.size());
    exchange<<<1, warps * lanes>>>(from, striped, blocked, scattered);
    same("striped", striped.back(), s);
    same("blocked again", blocked.back(), in);
    same("scattered", scattered.back(), moved);
    return verdict();
}
