// shows: cub::DeviceSegmentedSort: keys, stable pairs
#include <cub/device/device_segmented_sort.cuh>

#include <algorithm>

#include "device_segments.h"

int main()
{
    const segments of;
    const int n = of.size();
    const std::vector<int> in = numbers(n, 500);
    std::vector<int> up = in, first(n), places(n);
    for (int i = 0; i < n; i++)
        first[i] = places[i] = i;
    for (int k = 0; k < of.count(); k++) {
        std::sort(up.begin() + of.bounds[k], up.begin() + of.bounds[k + 1]);
        std::stable_sort(places.begin() + of.bounds[k], places.begin() + of.bounds[k + 1],
                         [&](int a, int b) { return in[a] < in[b]; });
    }
    on_device<int> bounds(of.bounds), from(in), to(n), values(first), moved(n);
    int *b = bounds;
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSegmentedSort::SortKeys(s, bytes, (int *)from, (int *)to, n, of.count(),
                                                  b, b + 1);
    });
    same("keys", to.back(), up);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSegmentedSort::StableSortPairs(
            s, bytes, (int *)from, (int *)to, (int *)values, (int *)moved, n, of.count(), b, b + 1);
    });
    same("keys of pairs", to.back(), up);
    same("values", moved.back(), places);
    return verdict();
}
