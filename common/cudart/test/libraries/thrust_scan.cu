// shows: thrust::inclusive_scan, exclusive_scan, transform_inclusive_scan, operators, in place
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include "check.h"

int main()
{
    for (int n : { 0, 1, 1000, 20000 }) {
        const std::vector<int> in = numbers(n, 1000);
        std::vector<int> up(n), before(n), most(n), falling(n);
        for (int i = 0; i < n; i++) {
            before[i] = i ? up[i - 1] : 0;
            up[i] = before[i] + in[i];
            most[i] = i && most[i - 1] > in[i] ? most[i - 1] : in[i];
            falling[i] = -up[i];
        }
        thrust::device_vector<int> d(in.begin(), in.end()), to(n);
        thrust::inclusive_scan(d.begin(), d.end(), to.begin());
        same("inclusive", thrust::host_vector<int>(to), up);
        thrust::exclusive_scan(d.begin(), d.end(), to.begin());
        same("exclusive", thrust::host_vector<int>(to), before);
        thrust::transform_inclusive_scan(d.begin(), d.end(), to.begin(), thrust::negate<int>(),
                                         thrust::plus<int>());
        same("transformed", thrust::host_vector<int>(to), falling);
        thrust::inclusive_scan(d.begin(), d.end(), d.begin(), thrust::maximum<int>());
        same("maximum, in place", thrust::host_vector<int>(d), most);
    }
    return verdict();
}
