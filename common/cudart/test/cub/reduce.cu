/*
 * reduce.cu: cub::DeviceReduce on the engine: sums of integers and doubles, a reduction by another
 * operator.
 */
#include <cub/device/device_reduce.cuh>

#include "cub_test.h"

static void sum(int n)
{
    std::vector<int> in(n);
    std::vector<int> expected(1);
    for (int &x : in)
        expected[0] += x = draw_between(-100, 100);
    device_array<int> d_in(in), d_out(1);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceReduce::Sum(t, bytes, d_in.data, d_out.data, n);
    });
    same("sum", expected, d_out.host(1));
}

/* small integers: their sums are exact in any order */
static void sum_of_doubles(int n)
{
    std::vector<double> in(n), expected(1);
    for (double &x : in)
        expected[0] += x = draw_between(-100, 100);
    device_array<double> d_in(in), d_out(1);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceReduce::Sum(t, bytes, d_in.data, d_out.data, n);
    });
    same("sum", expected, d_out.host(1));
}

struct either {
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};

static void bits_of_any(int n)
{
    std::vector<unsigned> in(n), expected(1, 1u << 31);
    for (unsigned &x : in)
        expected[0] |= x = 1u << draw_between(0, n < 31 ? n : 30);
    device_array<unsigned> d_in(in), d_out(1);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceReduce::Reduce(t, bytes, d_in.data, d_out.data, n, either(), 1u << 31);
    });
    same("bits", expected, d_out.host(1));
}

int main()
{
    run_cases("sum", STARTS_IN_ANY_ORDER, sum);
    run_cases("sum of doubles", STARTS_IN_ANY_ORDER, sum_of_doubles);
    run_cases("bits of any", STARTS_IN_ANY_ORDER, bits_of_any);
    return report("cub reduce");
}
