// shows: cub::DeviceAdjacentDifference: left, right, in place
#include <cub/device/device_adjacent_difference.cuh>

#include "check.h"

int main()
{
    for (int n : { 1, 1000, 12000 }) {
        const std::vector<int> in = numbers(n, 3000);
        std::vector<int> l = in, r = in;
        for (int i = 0; i < n; i++) {
            if (i)
                l[i] = in[i] - in[i - 1];
            if (i + 1 < n)
                r[i] = in[i] - in[i + 1];
        }
        on_device<int> from(in), to(n);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceAdjacentDifference::SubtractLeftCopy(s, bytes, (int *)from, (int *)to,
                                                                   n);
        });
        same("left", to.back(), l);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceAdjacentDifference::SubtractRight(s, bytes, (int *)from, n);
        });
        same("right, in place", from.back(), r);
    }
    return verdict();
}
