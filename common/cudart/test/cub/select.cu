/*
 * select.cu: cub::DeviceSelect on the engine: by a predicate and by flags. Those that are selected
 * keep their order.
 */
#include <cub/device/device_select.cuh>

#include "cub_test.h"

struct below_zero {
    __host__ __device__ bool operator()(int x) const { return x < 0; }
};

static void selected(const device_array<int> &d_out, const device_array<int> &d_count,
                     const std::vector<int> &expected)
{
    std::vector<int> count = d_count.host(1);
    same("selected", std::vector<int>(1, (int)expected.size()), count);
    if (count[0] == (int)expected.size())
        same("out", expected, d_out.host(count[0]));
}

static void select_if(int n)
{
    std::vector<int> in(n), expected;
    for (int &x : in)
        if ((x = draw_between(-100, 100)) < 0)
            expected.push_back(x);
    device_array<int> d_in(in), d_out(n), d_count(1);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceSelect::If(t, bytes, d_in.data, d_out.data, d_count.data, n,
                                     below_zero());
    });
    selected(d_out, d_count, expected);
}

static void select_flagged(int n)
{
    std::vector<int> in(n), expected;
    std::vector<char> flags(n);
    for (int i = 0; i < n; i++) {
        in[i] = draw_between(-100, 100);
        if ((flags[i] = (char)draw_between(0, 1)))
            expected.push_back(in[i]);
    }
    device_array<int> d_in(in), d_out(n), d_count(1);
    device_array<char> d_flags(flags);
    run_cub([&](void *t, size_t &bytes) {
        return cub::DeviceSelect::Flagged(t, bytes, d_in.data, d_flags.data, d_out.data,
                                          d_count.data, n);
    });
    selected(d_out, d_count, expected);
}

int main()
{
    run_cases("select if", STARTS_IN_ORDER, select_if);
    run_cases("select flagged", STARTS_IN_ORDER, select_flagged);
    return report("cub select");
}
