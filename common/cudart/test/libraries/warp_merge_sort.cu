// shows: cub::WarpMergeSort: keys, pairs
#include <cub/warp/warp_merge_sort.cuh>

#include <algorithm>

#include "check.h"

constexpr int items = 4, lanes = 16, warps = 2, tile = items * lanes;

struct less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sort(const int *in, int *keys, int *values)
{
    typedef cub::WarpMergeSort<int, items, lanes, int> Sort;
    __shared__ typename Sort::TempStorage scratch[warps];
    int w = threadIdx.x / lanes, base = threadIdx.x * items, x[items], place[items];
    for (int k = 0; k < items; k++) {
        x[k] = in[base + k];
        place[k] = base + k;
    }
    Sort(scratch[w]).StableSort(x, place, less());
    for (int k = 0; k < items; k++) {
        keys[base + k] = x[k];
        values[base + k] = place[k];
    }
}

int main()
{
    const std::vector<int> in = numbers(tile * warps, 30);
    std::vector<int> places(in.size()), sorted(in.size());
    for (size_t i = 0; i < in.size(); i++)
        places[i] = (int)i;
    for (int w = 0; w < warps; w++)
        std::stable_sort(places.begin() + w * tile, places.begin() + (w + 1) * tile,
                         [&](int a, int b) { return in[a] < in[b]; });
    for (size_t i = 0; i < in.size(); i++)
        sorted[i] = in[places[i]];
    on_device<int> from(in), keys(in.size()), values(in.size());
    sort<<<1, warps * lanes>>>(from, keys, values);
    same("keys", keys.back(), sorted);
    same("values", values.back(), places);
    return verdict();
}
