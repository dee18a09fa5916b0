// shows: cub::DeviceRunLengthEncode::Encode
#include <cub/device/device_run_length_encode.cuh>

#include "check.h"

int main()
{
    for (int n : { 1, 1000, 15000 }) {
        const std::vector<int> in = numbers(n, 2);
        std::vector<int> values, lengths;
        for (int i = 0; i < n; i++) {
            if (i == 0 || in[i] != in[i - 1]) {
                values.push_back(in[i]);
                lengths.push_back(0);
            }
            lengths.back()++;
        }
        on_device<int> from(in), value(n), length(n), count(1);
        with_scratch([&](void *s, size_t &bytes) {
            return cub::DeviceRunLengthEncode::Encode(s, bytes, (int *)from, (int *)value,
                                                      (int *)length, (int *)count, n);
        });
        holds("runs", count.back()[0] == (int)values.size());
        same("values", value.back(values.size()), values);
        same("lengths", length.back(lengths.size()), lengths);
    }
    return verdict();
}
