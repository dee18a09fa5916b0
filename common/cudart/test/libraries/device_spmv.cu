// shows: cub::DeviceSpmv::CsrMV
#include <cub/device/device_spmv.cuh>

#include "check.h"

int main()
{
    const int rows = 700, columns = 300;
    const std::vector<int> sizes = numbers(rows, 20);
    std::vector<int> begins = { 0 };
    for (int size : sizes)
        begins.push_back(begins.back() + (size < 3 ? 0 : size));
    const int n = begins.back();
    const std::vector<int> column = numbers(n, columns, 5);
    /* whole numbers: sums are exact in any order */
    const std::vector<float> value = numbers<float>(n, 9, 6), x = numbers<float>(columns, 9, 8);
    std::vector<float> y(rows);
    for (int r = 0; r < rows; r++)
        for (int k = begins[r]; k < begins[r + 1]; k++)
            y[r] += value[k] * x[column[k]];
    on_device<int> offsets(begins), indices(column);
    on_device<float> values(value), vector(x), product(rows);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSpmv::CsrMV(s, bytes, (float *)values, (int *)offsets, (int *)indices,
                                      (float *)vector, (float *)product, rows, columns, n);
    });
    same("product", product.back(), y);
    return verdict();
}
