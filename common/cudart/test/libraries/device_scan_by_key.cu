// shows: cub::DeviceScan: InclusiveSumByKey, ExclusiveSumByKey, an operator
#include <cub/device/device_scan.cuh>

#include "check.h"

int main()
{
    for (int n : { 1, 777, 10007 }) {
        const std::vector<int> in = numbers(n, 1000), coin = numbers(n, 10, 3);
        std::vector<int> keys(n), up(n), before(n), most(n);
        for (int i = 0; i < n; i++) {
            keys[i] = i ? keys[i - 1] + (coin[i] == 0) : 0;
            bool first = i == 0 || keys[i] != keys[i - 1];
            before[i] = first ? 0 : up[i - 1];
            up[i] = before[i] + in[i];
            most[i] = !first && most[i - 1] > in[i] ? most[i - 1] : in[i];
        }
        on_device<int> k(keys), from(in), to(n);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceScan::InclusiveSumByKey(s, bytes, (int *)k, (int *)from, (int *)to,
                                                      n);
        });
        same("inclusive", to.back(), up);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceScan::ExclusiveSumByKey(s, bytes, (int *)k, (int *)from, (int *)to,
                                                      n);
        });
        same("exclusive", to.back(), before);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceScan::InclusiveScanByKey(s, bytes, (int *)k, (int *)from, (int *)to,
                                                       cub::Max(), n);
        });
        same("maximum", to.back(), most);
    }
    return verdict();
}
