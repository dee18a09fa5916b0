// shows: cub::DeviceReduce: Sum, Min, Max, ArgMin, ArgMax, an operator
#include <cub/device/device_reduce.cuh>

#include <algorithm>

#include "check.h"

struct gcd {
    __device__ __host__ int operator()(int a, int b) const
    {
        while (b) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
};

typedef cub::KeyValuePair<int, int> found;

static void check(int n)
{
    std::vector<int> in = numbers(n, 1000000);
    for (int &one : in)
        one = 6 * (one + 1);
    int sum = 0, divisor = 0;
    for (int one : in) {
        sum += one;
        divisor = gcd()(divisor, one);
    }
    on_device<int> from(in), to(1);
    on_device<found> where(1);
    int *f = from, *t = to;
    found *w = where;
    with_scratch([&](void *s, size_t &b) { return cub::DeviceReduce::Sum(s, b, f, t, n); });
    holds("sum", to.back()[0] == sum);
    with_scratch([&](void *s, size_t &b) { return cub::DeviceReduce::Min(s, b, f, t, n); });
    holds("minimum", to.back()[0] == *std::min_element(in.begin(), in.end()));
    with_scratch([&](void *s, size_t &b) { return cub::DeviceReduce::Max(s, b, f, t, n); });
    holds("maximum", to.back()[0] == *std::max_element(in.begin(), in.end()));
    with_scratch([&](void *s, size_t &b) { return cub::DeviceReduce::ArgMin(s, b, f, w, n); });
    holds("place of the minimum",
          where.back()[0].key == std::min_element(in.begin(), in.end()) - in.begin());
    with_scratch([&](void *s, size_t &b) { return cub::DeviceReduce::ArgMax(s, b, f, w, n); });
    holds("place of the maximum",
          where.back()[0].key == std::max_element(in.begin(), in.end()) - in.begin());
    with_scratch(
        [&](void *s, size_t &b) { return cub::DeviceReduce::Reduce(s, b, f, t, n, gcd(), 0); });
    holds("operator", to.back()[0] == divisor);
}

int main()
{
    for (int n : { 1, 500, 50001 })
        check(n);
    return verdict();
}
