// shows: cub::DeviceSegmentedReduce: Sum, Max, ArgMin
#include <cub/device/device_segmented_reduce.cuh>

#include "device_segments.h"

int main()
{
    const segments of;
    const int n = of.size(), count = of.count();
    const std::vector<int> in = numbers(n, 100000);
    std::vector<int> sum(count), most(count), where(count);
    for (int k = 0; k < count; k++) {
        most[k] = std::numeric_limits<int>::lowest();
        where[k] = of.bounds[k] == of.bounds[k + 1]; /* of nothing CUB gives 1 */
        for (int i = of.bounds[k]; i < of.bounds[k + 1]; i++) {
            sum[k] += in[i];
            most[k] = in[i] > most[k] ? in[i] : most[k];
            where[k] = in[i] < in[of.bounds[k] + where[k]] ? i - of.bounds[k] : where[k];
        }
    }
    on_device<int> bounds(of.bounds), from(in), to(count);
    on_device<cub::KeyValuePair<int, int>> least(count);
    int *b = bounds;
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Sum(s, bytes, (int *)from, (int *)to, count, b, b + 1);
    });
    same("sums", to.back(), sum);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Max(s, bytes, (int *)from, (int *)to, count, b, b + 1);
    });
    same("maxima", to.back(), most);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSegmentedReduce::ArgMin(
            s, bytes, (int *)from, (cub::KeyValuePair<int, int> *)least, count, b, b + 1);
    });
    std::vector<int> keys;
    for (cub::KeyValuePair<int, int> one : least.back())
        keys.push_back(one.key);
    same("places of the minima", keys, where);
    return verdict();
}
