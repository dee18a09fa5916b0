// shows: cub::WarpLoad, cub::WarpStore: four algorithms each, whole and partial tiles
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_store.cuh>

#include "check.h"

constexpr int items = 4, lanes = 16, warps = 4, tile = items * lanes;

template <cub::WarpLoadAlgorithm load, cub::WarpStoreAlgorithm store>
__global__ void copy(int *in, int *out, int n)
{
    typedef cub::WarpLoad<int, items, load, lanes> Load;
    typedef cub::WarpStore<int, items, store, lanes> Store;
    __shared__ typename Load::TempStorage loads[warps];
    __shared__ typename Store::TempStorage stores[warps];
    int w = threadIdx.x / lanes, base = w * tile, x[items];
    if (base + tile <= n)
        Load(loads[w]).Load(in + base, x);
    else
        Load(loads[w]).Load(in + base, x, n - base, 0);
    for (int k = 0; k < items; k++)
        x[k] *= 3;
    if (base + tile <= n)
        Store(stores[w]).Store(out + base, x);
    else
        Store(stores[w]).Store(out + base, x, n - base);
}

template <cub::WarpLoadAlgorithm load, cub::WarpStoreAlgorithm store>
static void check(const char *name)
{
    for (int n : { warps * tile, warps * tile - 13 }) {
        std::vector<int> in = numbers(n, 1000), wanted = in;
        for (int &one : wanted)
            one *= 3;
        on_device<int> from(in), to(n);
        copy<load, store><<<1, warps * lanes>>>(from, to, n);
        same(name, to.back(), wanted);
    }
}

int main()
{
    check<cub::WARP_LOAD_DIRECT, cub::WARP_STORE_DIRECT>("direct");
    check<cub::WARP_LOAD_STRIPED, cub::WARP_STORE_STRIPED>("striped");
    check<cub::WARP_LOAD_VECTORIZE, cub::WARP_STORE_VECTORIZE>("vectorize");
    check<cub::WARP_LOAD_TRANSPOSE, cub::WARP_STORE_TRANSPOSE>("transpose");
    return verdict();
}
