// shows: thrust::find, find_if, min_element, max_element, minmax_element, all_of, any_of, mismatch
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>

#include <algorithm>

#include "check.h"

struct above {
    int bound;
    __host__ __device__ bool operator()(int x) const { return x > bound; }
};

int main()
{
    const int n = 9000;
    std::vector<int> in = numbers(n, 100000);
    in[7777] = -5;
    std::vector<int> other = in;
    other[4321]++;
    auto minmax = std::minmax_element(in.begin(), in.end());
    const long least = minmax.first - in.begin(),
               most = std::max_element(in.begin(), in.end()) - in.begin();
    thrust::device_vector<int> d(in.begin(), in.end()), e(other.begin(), other.end());
    holds("find", thrust::find(d.begin(), d.end(), -5) - d.begin() == 7777);
    holds("find nothing", thrust::find(d.begin(), d.end(), -6) == d.end());
    holds("find_if", thrust::find_if(d.begin(), d.end(), above{ 90000 }) - d.begin() ==
                         std::find_if(in.begin(), in.end(), above{ 90000 }) - in.begin());
    holds("min_element", thrust::min_element(d.begin(), d.end()) - d.begin() == least);
    holds("max_element", thrust::max_element(d.begin(), d.end()) - d.begin() == most);
    auto both = thrust::minmax_element(d.begin(), d.end());
    holds("minmax_element", both.first - d.begin() == least && *both.second == *minmax.second);
    holds("all_of", thrust::all_of(d.begin(), d.end(), above{ -6 }));
    holds("any_of", !thrust::any_of(d.begin(), d.end(), above{ 100000 }));
    holds("none_of", thrust::none_of(d.begin(), d.end(), above{ 100000 }));
    holds("equal", !thrust::equal(d.begin(), d.end(), e.begin()));
    holds("mismatch", thrust::mismatch(d.begin(), d.end(), e.begin()).first - d.begin() == 4321);
    return verdict();
}
