// shows: cub::DeviceReduce::ReduceByKey
#include <cub/device/device_reduce.cuh>

#include "check.h"

int main()
{
    for (int n : { 1, 900, 12345 }) {
        const std::vector<int> in = numbers(n, 1000), keys = numbers(n, 3, 9);
        std::vector<int> names, sums;
        for (int i = 0; i < n; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                names.push_back(keys[i]);
                sums.push_back(0);
            }
            sums.back() += in[i];
        }
        on_device<int> k(keys), from(in), unique(n), to(n), count(1);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceReduce::ReduceByKey(s, bytes, (int *)k, (int *)unique, (int *)from,
                                                  (int *)to, (int *)count, cub::Sum(), n);
        });
        holds("count", count.back()[0] == (int)names.size());
        same("keys", unique.back(names.size()), names);
        same("sums", to.back(sums.size()), sums);
    }
    return verdict();
}
