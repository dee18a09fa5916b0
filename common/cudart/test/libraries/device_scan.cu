// shows: cub::DeviceScan: inclusive, exclusive, an operator, a type of 8 bytes, in place
#include <cub/device/device_scan.cuh>

#include "check.h"

static void check(int n)
{
    const std::vector<int> in = numbers(n, 1000);
    std::vector<int> up(n), before(n), most(n);
    std::vector<double> sums(n);
    for (int i = 0; i < n; i++) {
        before[i] = i ? up[i - 1] : 0;
        up[i] = before[i] + in[i];
        most[i] = i && most[i - 1] > in[i] ? most[i - 1] : in[i];
        sums[i] = up[i] / 2.0;
    }
    std::vector<double> half(n);
    for (int i = 0; i < n; i++)
        half[i] = in[i] / 2.0;
    on_device<int> from(in), to(n);
    on_device<double> doubles(half);
    with_scratch([&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, (int *)from, (int *)to, n);
    });
    same("inclusive", to.back(), up);
    with_scratch([&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, (int *)from, (int *)to, n);
    });
    same("exclusive", to.back(), before);
    with_scratch([&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(scratch, bytes, (int *)from, (int *)to, cub::Max(),
                                              n);
    });
    same("maximum", to.back(), most);
    with_scratch([&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, (double *)doubles, (double *)doubles,
                                             n);
    });
    same("doubles, in place", doubles.back(), sums);
}

int main()
{
    for (int n : { 0, 1, 1000, 20001, 300001 })
        check(n);
    return verdict();
}
