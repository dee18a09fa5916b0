// shows: cub::DeviceHistogram: HistogramEven, HistogramRange, of pixels with several channels
#include <cub/device/device_histogram.cuh>

#include "check.h"

int main()
{
    const int n = 9000;
    const std::vector<float> in = numbers<float>(n, 120);
    const std::vector<float> edges = { 0, 5, 30, 31, 100 };
    std::vector<int> even(12), range(edges.size() - 1);
    for (float x : in) {
        if (x < 60)
            even[(int)x / 5]++;
        for (size_t k = 0; k + 1 < edges.size(); k++)
            range[k] += x >= edges[k] && x < edges[k + 1];
    }
    on_device<float> from(in), levels(edges);
    on_device<int> to(12), by_range(edges.size() - 1);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(s, bytes, (float *)from, (int *)to, 13, 0.f,
                                                   60.f, n);
    });
    same("even", to.back(), even);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceHistogram::HistogramRange(s, bytes, (float *)from, (int *)by_range,
                                                    (int)edges.size(), (float *)levels, n);
    });
    same("range", by_range.back(), range);

    const int pixels = 3000;
    const std::vector<unsigned char> image = numbers<unsigned char>(4 * pixels, 256);
    std::vector<int> counts[3];
    on_device<unsigned char> bytes_of(image);
    on_device<int> red(256), green(256), blue(256);
    for (int c = 0; c < 3; c++) {
        counts[c].resize(256);
        for (int i = 0; i < pixels; i++)
            counts[c][image[4 * i + c]]++;
    }
    int *bins[3] = { red, green, blue }, most[3] = { 257, 257, 257 }, low[3] = { 0, 0, 0 },
        high[3] = { 256, 256, 256 };
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceHistogram::MultiHistogramEven<4, 3>(s, bytes, (unsigned char *)bytes_of,
                                                              bins, most, low, high, pixels);
    });
    same("red", red.back(), counts[0]);
    same("green", green.back(), counts[1]);
    same("blue", blue.back(), counts[2]);
    return verdict();
}
