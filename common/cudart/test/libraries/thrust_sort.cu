// shows: thrust::sort, by greater, is_sorted
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

#include <algorithm>

#include "check.h"

int main()
{
    for (int n : { 0, 1, 1000, 20000 }) {
        std::vector<int> in = numbers(n, 1 << 20), up = in;
        std::sort(up.begin(), up.end());
        const std::vector<int> down(up.rbegin(), up.rend());
        thrust::device_vector<int> d(in.begin(), in.end());
        thrust::sort(d.begin(), d.end());
        same("rising", thrust::host_vector<int>(d), up);
        holds("is sorted", thrust::is_sorted(d.begin(), d.end()));
        thrust::sort(d.begin(), d.end(), thrust::greater<int>());
        same("falling", thrust::host_vector<int>(d), down);
    }
    return verdict();
}
