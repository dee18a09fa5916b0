// shows: thrust::stable_sort_by_key, sort_by_key, by an operator of one's own (a merge sort)
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

#include <algorithm>

#include "check.h"

struct by_tens {
    __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

int main()
{
    for (int n : { 1, 1000, 9000 }) {
        const std::vector<int> in = numbers(n, 3000);
        std::vector<int> first(n), places(n), tens(n), up(n), keys(n);
        for (int i = 0; i < n; i++)
            first[i] = places[i] = tens[i] = i;
        std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return in[a] < in[b]; });
        std::stable_sort(tens.begin(), tens.end(),
                         [&](int a, int b) { return by_tens()(in[a], in[b]); });
        for (int i = 0; i < n; i++)
            up[i] = in[places[i]];
        thrust::device_vector<int> k(in.begin(), in.end()), v(first.begin(), first.end());
        thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
        same("keys", thrust::host_vector<int>(k), up);
        same("values", thrust::host_vector<int>(v), places);
        thrust::device_vector<int> l(in.begin(), in.end()), w(first.begin(), first.end());
        thrust::stable_sort_by_key(l.begin(), l.end(), w.begin(), by_tens());
        same("values by tens", thrust::host_vector<int>(w), tens);
    }
    return verdict();
}
