// shows: cub::DeviceRadixSort: SortKeys, SortKeysDescending, a range of bits
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "check.h"

static void check(int n)
{
    std::vector<int> in = numbers(n, 1 << 24), up, down, bits = in;
    for (int &one : in)
        one -= 1 << 23;
    bits = up = in;
    std::sort(up.begin(), up.end());
    down.assign(up.rbegin(), up.rend());
    std::stable_sort(bits.begin(), bits.end(),
                     [](int a, int b) { return (a >> 2 & 255) < (b >> 2 & 255); });
    on_device<int> from(in), to(n);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(s, bytes, (int *)from, (int *)to, n);
    });
    same("rising", to.back(), up);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeysDescending(s, bytes, (int *)from, (int *)to, n);
    });
    same("falling", to.back(), down);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(s, bytes, (int *)from, (int *)to, n, 2, 10);
    });
    same("eight bits", to.back(), bits);
}

int main()
{
    for (int n : { 1, 1000, 20000 })
        check(n);
    return verdict();
}
