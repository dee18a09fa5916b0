/*
 * sort.cu: cub::DeviceRadixSort on the engine: keys of 32 bits, pairs by keys of 64 bits, float
 * keys from the greatest down.
 */
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <functional>
#include <numeric>

#include "cub_test.h"

static void int_keys(int n)
{
    std::vector<int> in(n), expected;
    for (int &x : in)
        x = (int)draw();
    expected = in;
    std::sort(expected.begin(), expected.end());
    device_array<int> d_in(in), d_out(n);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(t, bytes, d_in.data, d_out.data, n);
    });
    same("keys", expected, d_out.host(n));
}

/* Few keys, so that many are equal: pairs of equal keys stay in order. */
static void pairs_by_long_keys(int n)
{
    std::vector<long long> keys(n), sorted(n);
    std::vector<int> at(n);
    for (long long &x : keys)
        x = draw_between(-500, 500) * 0x1234567890ll;
    std::iota(at.begin(), at.end(), 0);
    device_array<long long> d_keys(keys), d_sorted(n);
    device_array<int> d_in(at), d_out(n);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(t, bytes, d_keys.data, d_sorted.data, d_in.data,
                                               d_out.data, n);
    });
    std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    for (int i = 0; i < n; i++)
        sorted[i] = keys[at[i]];
    same("keys", sorted, d_sorted.host(n));
    same("values", at, d_out.host(n));
}

static void float_keys_descending(int n)
{
    std::vector<float> in(n), expected;
    for (float &x : in)
        x = (float)draw_between(-1000000, 1000000) / 64;
    expected = in;
    std::sort(expected.begin(), expected.end(), std::greater<float>());
    device_array<float> d_in(in), d_out(n);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeysDescending(t, bytes, d_in.data, d_out.data, n);
    });
    same("keys", expected, d_out.host(n));
}

int main()
{
    run_cases("keys", STARTS_IN_ANY_ORDER, int_keys);
    run_cases("pairs by 64-bit keys", STARTS_IN_ANY_ORDER, pairs_by_long_keys);
    run_cases("float keys, descending", STARTS_IN_ANY_ORDER, float_keys_descending);
    return report("cub sort");
}
