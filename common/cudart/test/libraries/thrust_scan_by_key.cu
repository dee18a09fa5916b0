// shows: thrust::inclusive_scan_by_key, exclusive_scan_by_key
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>

#include "check.h"

int main()
{
    for (int n : { 1, 1000, 9000 }) {
        const std::vector<int> in = numbers(n, 1000), keys = numbers(n, 2, 3);
        std::vector<int> up(n), before(n);
        for (int i = 0; i < n; i++) {
            before[i] = i && keys[i] == keys[i - 1] ? up[i - 1] : 0;
            up[i] = before[i] + in[i];
        }
        thrust::device_vector<int> k(keys.begin(), keys.end()), v(in.begin(), in.end()), to(n);
        thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), to.begin());
        same("inclusive", thrust::host_vector<int>(to), up);
        thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), to.begin());
        same("exclusive", thrust::host_vector<int>(to), before);
    }
    return verdict();
}
