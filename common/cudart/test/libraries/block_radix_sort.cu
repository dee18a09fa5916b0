// shows: cub::BlockRadixSort: keys, pairs, descending, striped, a range of bits
#include <cub/block/block_radix_sort.cuh>

#include <algorithm>

#include "check.h"

constexpr int threads = 64, items = 4, tile = threads * items;

__global__ void sort_keys(const int *in, int *up, int *down)
{
    typedef cub::BlockRadixSort<int, threads, items> Sort;
    __shared__ typename Sort::TempStorage scratch;
    int t = threadIdx.x, x[items];
    for (int k = 0; k < items; k++)
        x[k] = in[t * items + k];
    Sort(scratch).Sort(x);
    for (int k = 0; k < items; k++)
        up[t * items + k] = x[k];
    __syncthreads();
    Sort(scratch).SortDescendingBlockedToStriped(x);
    for (int k = 0; k < items; k++)
        down[k * threads + t] = x[k];
}

__global__ void sort_pairs(const float *in, float *keys, int *places)
{
    typedef cub::BlockRadixSort<float, threads, items, int> Sort;
    __shared__ typename Sort::TempStorage scratch;
    int t = threadIdx.x, place[items];
    float x[items];
    for (int k = 0; k < items; k++) {
        x[k] = in[t * items + k];
        place[k] = t * items + k;
    }
    Sort(scratch).Sort(x, place);
    for (int k = 0; k < items; k++) {
        keys[t * items + k] = x[k];
        places[t * items + k] = place[k];
    }
}

__global__ void sort_bits(const unsigned *in, unsigned *out)
{
    typedef cub::BlockRadixSort<unsigned, threads, items> Sort;
    __shared__ typename Sort::TempStorage scratch;
    int t = threadIdx.x;
    unsigned x[items];
    for (int k = 0; k < items; k++)
        x[k] = in[t * items + k];
    Sort(scratch).Sort(x, 4, 10);
    for (int k = 0; k < items; k++)
        out[t * items + k] = x[k];
}

int main()
{
    std::vector<int> in = numbers(tile, 100000), sorted = in, falling;
    for (int &one : in)
        one -= 50000;
    sorted = in;
    std::sort(sorted.begin(), sorted.end());
    falling.assign(sorted.rbegin(), sorted.rend());
    on_device<int> from(in), up(tile), down(tile);
    sort_keys<<<1, threads>>>(from, up, down);
    same("rising", up.back(), sorted);
    same("falling, striped", down.back(), falling);

    const std::vector<float> values = numbers<float>(tile, 50);
    std::vector<int> places(tile);
    std::vector<float> keys(tile);
    for (int i = 0; i < tile; i++)
        places[i] = i;
    std::stable_sort(places.begin(), places.end(),
                     [&](int a, int b) { return values[a] < values[b]; });
    for (int i = 0; i < tile; i++)
        keys[i] = values[places[i]];
    on_device<float> floats(values), made(tile);
    on_device<int> where(tile);
    sort_pairs<<<1, threads>>>(floats, made, where);
    same("pairs: keys", made.back(), keys);
    same("pairs: values", where.back(), places);

    const std::vector<unsigned> words = numbers<unsigned>(tile, 1 << 16);
    std::vector<unsigned> by_bits = words;
    std::stable_sort(by_bits.begin(), by_bits.end(),
                     [](unsigned a, unsigned b) { return (a >> 4 & 63) < (b >> 4 & 63); });
    on_device<unsigned> bits(words), out(tile);
    sort_bits<<<1, threads>>>(bits, out);
    same("six bits", out.back(), by_bits);
    return verdict();
}
