// shows: thrust::gather, gather_if, scatter, scatter_if, reverse, swap_ranges
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/swap.h>

#include "check.h"

int main()
{
    const int n = 6007; /* a prime: 10 i mod n is a permutation */
    const std::vector<int> in = numbers(n, 1000), stencil = numbers(n, 2, 3);
    std::vector<int> map(n), gathered(n), scattered(n), some(n, -1), others(n, -1),
        backwards(in.rbegin(), in.rend());
    for (int i = 0; i < n; i++)
        map[i] = (int)(10ll * i % n);
    for (int i = 0; i < n; i++) {
        gathered[i] = in[map[i]];
        scattered[map[i]] = in[i];
        if (stencil[i]) {
            some[map[i]] = in[i];
            others[i] = in[map[i]];
        }
    }
    thrust::device_vector<int> d(in.begin(), in.end()), m(map.begin(), map.end()),
        s(stencil.begin(), stencil.end()), to(n);
    thrust::gather(m.begin(), m.end(), d.begin(), to.begin());
    same("gather", thrust::host_vector<int>(to), gathered);
    thrust::scatter(d.begin(), d.end(), m.begin(), to.begin());
    same("scatter", thrust::host_vector<int>(to), scattered);
    to.assign(n, -1);
    thrust::scatter_if(d.begin(), d.end(), m.begin(), s.begin(), to.begin());
    same("scatter_if", thrust::host_vector<int>(to), some);
    to.assign(n, -1);
    thrust::gather_if(m.begin(), m.end(), s.begin(), d.begin(), to.begin());
    same("gather_if", thrust::host_vector<int>(to), others);
    thrust::reverse_copy(d.begin(), d.end(), to.begin());
    same("reverse_copy", thrust::host_vector<int>(to), backwards);
    thrust::swap_ranges(d.begin(), d.end(), to.begin());
    thrust::reverse(to.begin(), to.end());
    same("swapped", thrust::host_vector<int>(d), backwards);
    same("reversed", thrust::host_vector<int>(to), backwards);
    return verdict();
}
