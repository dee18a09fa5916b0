/*
 * scan.cu: cub::DeviceScan on the engine: sums in both forms, a scan by another operator, and one
 * of 64-bit integers.
 */
#include <cub/device/device_scan.cuh>

#include "cub_test.h"

static std::vector<int> small_integers(int n)
{
    std::vector<int> v(n);
    for (int &x : v)
        x = draw_between(-100, 100);
    return v;
}

static void inclusive_sum(int n)
{
    std::vector<int> in = small_integers(n), expected(n);
    int sum = 0;
    for (int i = 0; i < n; i++)
        expected[i] = sum += in[i];
    device_array<int> d_in(in), d_out(n);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(t, bytes, d_in.data, d_out.data, n);
    });
    same("out", expected, d_out.host(n));
}

static void exclusive_sum_64(int n)
{
    std::vector<int> in = small_integers(n);
    std::vector<long long> wide(n), expected(n);
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        wide[i] = in[i] * 0x100000001ll;
        expected[i] = sum;
        sum += wide[i];
    }
    device_array<long long> d_in(wide), d_out(n);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(t, bytes, d_in.data, d_out.data, n);
    });
    same("out", expected, d_out.host(n));
}

struct larger {
    __host__ __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

/* in place: d_in is d_out */
static void exclusive_maximum_in_place(int n)
{
    std::vector<int> in = small_integers(n);
    std::vector<float> values(in.begin(), in.end()), expected(n);
    float most = -1000;
    for (int i = 0; i < n; i++) {
        expected[i] = most;
        most = larger()(most, values[i]);
    }
    device_array<float> d_data(values);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceScan::ExclusiveScan(t, bytes, d_data.data, d_data.data, larger(),
                                              -1000.0f, n);
    });
    same("data", expected, d_data.host(n));
}

int main()
{
    run_cases("inclusive sum", STARTS_IN_ORDER, inclusive_sum);
    run_cases("exclusive sum, 64 bits", STARTS_IN_ORDER, exclusive_sum_64);
    run_cases("exclusive maximum, in place", STARTS_IN_ORDER, exclusive_maximum_in_place);
    return report("cub scan");
}
