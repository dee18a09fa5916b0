// shows: cub::BlockExchange: blocked to striped and back, warp-striped, scatters
#include <cub/block/block_exchange.cuh>

#include "check.h"

constexpr int threads = 64, items = 3, tile = threads * items;

template <bool timesliced>
__global__ void exchange(const int *in, int *striped, int *blocked, int *warps, int *scattered)
{
    typedef cub::BlockExchange<int, threads, items, timesliced> Exchange;
    __shared__ typename Exchange::TempStorage scratch;
    int t = threadIdx.x, x[items], y[items], to[items];
    for (int k = 0; k < items; k++)
        x[k] = in[t * items + k];
    Exchange(scratch).BlockedToStriped(x, y);
    for (int k = 0; k < items; k++)
        striped[t * items + k] = y[k];
    __syncthreads();
    Exchange(scratch).StripedToBlocked(y, y);
    for (int k = 0; k < items; k++)
        blocked[t * items + k] = y[k];
    __syncthreads();
    Exchange(scratch).BlockedToWarpStriped(x, y);
    for (int k = 0; k < items; k++)
        warps[t * items + k] = y[k];
    __syncthreads();
    for (int k = 0; k < items; k++)
        to[k] = (t * items + k) * 5 % tile; /* 5 and the tile's size have no common divisor */
    Exchange(scratch).ScatterToBlocked(x, y, to);
    for (int k = 0; k < items; k++)
        scattered[t * items + k] = y[k];
}

template <bool timesliced> static void check()
{
    const std::vector<int> in = numbers(tile, 5000);
    on_device<int> from(in), striped(tile), blocked(tile), warps(tile), scattered(tile);
    exchange<timesliced><<<1, threads>>>(from, striped, blocked, warps, scattered);
    std::vector<int> s(tile), w(tile), moved(tile);
    for (int t = 0; t < threads; t++)
        for (int k = 0; k < items; k++) {
            s[t * items + k] = in[k * threads + t];
            w[t * items + k] = in[t / 32 * 32 * items + k * 32 + t % 32];
            moved[(t * items + k) * 5 % tile] = in[t * items + k];
        }
    same("striped", striped.back(), s);
    same("blocked again", blocked.back(), in);
    same("warp-striped", warps.back(), w);
    same("scattered", scattered.back(), moved);
}

int main()
{
    check<false>();
    check<true>();
    return verdict();
}
