// shows: thrust::unique, unique_copy, unique_by_key
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/unique.h>

#include "check.h"

int main()
{
    for (int n : { 1, 1000, 12000 }) {
        const std::vector<int> in = numbers(n, 3), values = numbers(n, 1000, 6);
        std::vector<int> one, firsts;
        for (int i = 0; i < n; i++)
            if (i == 0 || in[i] != in[i - 1]) {
                one.push_back(in[i]);
                firsts.push_back(values[i]);
            }
        thrust::device_vector<int> d(in.begin(), in.end()), v(values.begin(), values.end()), to(n);
        to.resize(thrust::unique_copy(d.begin(), d.end(), to.begin()) - to.begin());
        same("unique_copy", thrust::host_vector<int>(to), one);
        thrust::device_vector<int> e = d;
        e.resize(thrust::unique(e.begin(), e.end()) - e.begin());
        same("unique", thrust::host_vector<int>(e), one);
        auto ends = thrust::unique_by_key(d.begin(), d.end(), v.begin());
        d.resize(ends.first - d.begin());
        v.resize(ends.second - v.begin());
        same("keys", thrust::host_vector<int>(d), one);
        same("values", thrust::host_vector<int>(v), firsts);
    }
    return verdict();
}
