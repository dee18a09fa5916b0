// shows: cub::DeviceRadixSort: SortPairs, SortPairsDescending, double buffers, float keys
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "check.h"

static void check(int n)
{
    std::vector<float> in = numbers<float>(n, 2000), up(n), down(n);
    std::vector<int> places(n), fall(n), first(n);
    for (int i = 0; i < n; i++) {
        in[i] -= 1000.5f;
        first[i] = places[i] = fall[i] = i;
    }
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return in[a] < in[b]; });
    std::stable_sort(fall.begin(), fall.end(), [&](int a, int b) { return in[a] > in[b]; });
    for (int i = 0; i < n; i++) {
        up[i] = in[places[i]];
        down[i] = in[fall[i]];
    }
    on_device<float> keys(in), out(n);
    on_device<int> values(first), to(n);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(s, bytes, (float *)keys, (float *)out, (int *)values,
                                               (int *)to, n);
    });
    same("keys", out.back(), up);
    same("values", to.back(), places);
    cub::DoubleBuffer<float> k(keys, out);
    cub::DoubleBuffer<int> v(values, to);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairsDescending(s, bytes, k, v, n);
    });
    same("falling keys", k.Current() == (float *)out ? out.back() : keys.back(), down);
    same("falling values", v.Current() == (int *)to ? to.back() : values.back(), fall);
}

int main()
{
    for (int n : { 1, 1000, 12000 })
        check(n);
    return verdict();
}
