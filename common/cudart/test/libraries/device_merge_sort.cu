// shows: cub::DeviceMergeSort: keys by an operator, stable pairs
#include <cub/device/device_merge_sort.cuh>

#include <algorithm>

#include "check.h"

struct by_tens {
    __device__ __host__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};
struct falling {
    __device__ __host__ bool operator()(int a, int b) const { return a > b; }
};

int main()
{
    for (int n : { 1, 1000, 12000 }) {
        const std::vector<int> in = numbers(n, 3000);
        std::vector<int> down = in, first(n), places(n), tens(n);
        std::sort(down.begin(), down.end(), falling());
        for (int i = 0; i < n; i++)
            first[i] = places[i] = i;
        std::stable_sort(places.begin(), places.end(),
                         [&](int a, int b) { return by_tens()(in[a], in[b]); });
        for (int i = 0; i < n; i++)
            tens[i] = in[places[i]];
        on_device<int> keys(in), pairs(in), values(first);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceMergeSort::SortKeys(s, bytes, (int *)keys, n, falling());
        });
        same("falling", keys.back(), down);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceMergeSort::StableSortPairs(s, bytes, (int *)pairs, (int *)values, n,
                                                         by_tens());
        });
        same("keys of pairs", pairs.back(), tens);
        same("values", values.back(), places);
    }
    return verdict();
}
