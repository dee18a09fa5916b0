// shows: thrust::adjacent_difference, with an operator
#include <thrust/adjacent_difference.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>

#include "check.h"

int main()
{
    for (int n : { 1, 1000, 9000 }) {
        const std::vector<int> in = numbers(n, 1000);
        std::vector<int> minus = in, plus = in;
        for (int i = 1; i < n; i++) {
            minus[i] = in[i] - in[i - 1];
            plus[i] = in[i] + in[i - 1];
        }
        thrust::device_vector<int> d(in.begin(), in.end()), to(n);
        thrust::adjacent_difference(d.begin(), d.end(), to.begin());
        same("differences", thrust::host_vector<int>(to), minus);
        thrust::adjacent_difference(d.begin(), d.end(), to.begin(), thrust::plus<int>());
        same("sums", thrust::host_vector<int>(to), plus);
    }
    return verdict();
}
