// shows: cub::BlockMergeSort: keys, stable pairs, fewer items than the tile has room for
#include <cub/block/block_merge_sort.cuh>

#include <algorithm>

#include "check.h"

constexpr int threads = 64, items = 3, tile = threads * items;

struct by_value {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

struct by_tens {
    __device__ __host__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

__global__ void sort(const int *in, int *keys, int *values, int *some, int valid)
{
    typedef cub::BlockMergeSort<int, threads, items, int> Pairs;
    typedef cub::BlockMergeSort<int, threads, items> Keys;
    __shared__ union {
        typename Pairs::TempStorage pairs;
        typename Keys::TempStorage keys;
    } scratch;
    int base = threadIdx.x * items, x[items], place[items];
    for (int k = 0; k < items; k++) {
        x[k] = in[base + k];
        place[k] = base + k;
    }
    Pairs(scratch.pairs).StableSort(x, place, by_tens());
    for (int k = 0; k < items; k++) {
        keys[base + k] = x[k];
        values[base + k] = place[k];
        x[k] = in[base + k];
    }
    __syncthreads();
    Keys(scratch.keys).Sort(x, by_value(), valid, 1 << 30);
    for (int k = 0; k < items; k++)
        some[base + k] = x[k];
}

int main()
{
    const std::vector<int> in = numbers(tile, 300);
    const int valid = tile - 20;
    on_device<int> from(in), keys(tile), values(tile), some(tile);
    sort<<<1, threads>>>(from, keys, values, some, valid);
    std::vector<int> places(tile), sorted(tile), front(in.begin(), in.begin() + valid);
    for (int i = 0; i < tile; i++)
        places[i] = i;
    std::stable_sort(places.begin(), places.end(),
                     [&](int a, int b) { return by_tens()(in[a], in[b]); });
    for (int i = 0; i < tile; i++)
        sorted[i] = in[places[i]];
    std::sort(front.begin(), front.end());
    same("keys", keys.back(), sorted);
    same("values", values.back(), places);
    same("some", some.back(valid), front);
    return verdict();
}
