// shows: thrust::set_union, set_intersection, set_difference, set_symmetric_difference
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/set_operations.h>

#include <algorithm>
#include <iterator>

#include "check.h"

int main()
{
    for (int n : { 1, 500, 6000 }) {
        std::vector<int> a = numbers(n, n + 1), b = numbers(n, n + 1, 5), wanted;
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        thrust::device_vector<int> da(a.begin(), a.end()), db(b.begin(), b.end()), to(2 * n);
        auto back = [&](thrust::device_vector<int>::iterator end) {
            return thrust::host_vector<int>(to.begin(), end);
        };
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(wanted));
        same("union",
             back(thrust::set_union(da.begin(), da.end(), db.begin(), db.end(), to.begin())),
             wanted);
        wanted.clear();
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(wanted));
        same("intersection",
             back(thrust::set_intersection(da.begin(), da.end(), db.begin(), db.end(), to.begin())),
             wanted);
        wanted.clear();
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(wanted));
        same("difference",
             back(thrust::set_difference(da.begin(), da.end(), db.begin(), db.end(), to.begin())),
             wanted);
        wanted.clear();
        std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                      std::back_inserter(wanted));
        same("symmetric difference",
             back(thrust::set_symmetric_difference(da.begin(), da.end(), db.begin(), db.end(),
                                                   to.begin())),
             wanted);
    }
    return verdict();
}
