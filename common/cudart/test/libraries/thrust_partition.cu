// shows: thrust::stable_partition, partition_copy, partition, is_partitioned, partition_point
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/partition.h>

#include "check.h"

struct small {
    __host__ __device__ bool operator()(int x) const { return x < 30; }
};

int main()
{
    for (int n : { 1, 1000, 12000 }) {
        const std::vector<int> in = numbers(n, 100);
        std::vector<int> yes, no, all;
        for (int x : in)
            (small()(x) ? yes : no).push_back(x);
        all = yes;
        all.insert(all.end(), no.begin(), no.end());
        thrust::device_vector<int> d(in.begin(), in.end()), a(n), b(n);
        auto ends = thrust::partition_copy(d.begin(), d.end(), a.begin(), b.begin(), small());
        a.resize(ends.first - a.begin());
        b.resize(ends.second - b.begin());
        same("chosen", thrust::host_vector<int>(a), yes);
        same("others", thrust::host_vector<int>(b), no);
        thrust::device_vector<int> e = d;
        size_t middle = thrust::stable_partition(d.begin(), d.end(), small()) - d.begin();
        holds("middle", middle == yes.size());
        same("stable_partition", thrust::host_vector<int>(d), all);
        holds("is_partitioned", thrust::is_partitioned(d.begin(), d.end(), small()));
        holds("partition_point",
              (size_t)(thrust::partition_point(d.begin(), d.end(), small()) - d.begin()) == middle);
        holds("partition",
              (size_t)(thrust::partition(e.begin(), e.end(), small()) - e.begin()) == middle);
    }
    return verdict();
}
