// shows: thrust::reduce_by_key
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>

#include "check.h"

int main()
{
    for (int n : { 1, 300, 10000 }) {
        const std::vector<int> in = numbers(n, 1000), keys = numbers(n, 3, 9);
        std::vector<int> names, sums;
        for (int i = 0; i < n; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                names.push_back(keys[i]);
                sums.push_back(0);
            }
            sums.back() += in[i];
        }
        thrust::device_vector<int> k(keys.begin(), keys.end()), v(in.begin(), in.end()), name(n),
            sum(n);
        auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), name.begin(), sum.begin());
        name.resize(ends.first - name.begin());
        sum.resize(ends.second - sum.begin());
        same("keys", thrust::host_vector<int>(name), names);
        same("sums", thrust::host_vector<int>(sum), sums);
    }
    return verdict();
}
