// shows: thrust's counting, constant, transform, zip, permutation, discard iterators
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include "check.h"

struct square {
    __host__ __device__ long long operator()(int i) const { return (long long)i * i; }
};
struct add_products {
    template <class Tuple> __host__ __device__ void operator()(Tuple t) const
    {
        thrust::get<2>(t) = thrust::get<0>(t) * 2 + thrust::get<1>(t);
    }
};

int main()
{
    const int n = 4000;
    const std::vector<int> a = numbers(n, 100), b = numbers(n, 100, 3);
    std::vector<int> sums(n), ten(n), every;
    long long squares = 0;
    for (int i = 0; i < n; i++) {
        sums[i] = 2 * a[i] + b[i];
        ten[i] = a[i] + 10;
        squares += (long long)i * i;
        if (i % 3 == 0)
            every.push_back(a[i]);
    }
    thrust::device_vector<int> da(a.begin(), a.end()), db(b.begin(), b.end()), to(n);
    thrust::counting_iterator<int> count(0);
    auto of_square = thrust::make_transform_iterator(count, square());
    holds("transform over counting", thrust::reduce(of_square, of_square + n) == squares);
    thrust::transform(da.begin(), da.end(), thrust::constant_iterator<int>(10), to.begin(),
                      thrust::plus<int>());
    same("constant", thrust::host_vector<int>(to), ten);
    auto zip = thrust::make_zip_iterator(thrust::make_tuple(da.begin(), db.begin(), to.begin()));
    thrust::for_each(zip, zip + n, add_products());
    same("zip", thrust::host_vector<int>(to), sums);
    thrust::device_vector<int> where(every.size());
    thrust::transform(count, count + (int)every.size(), thrust::constant_iterator<int>(3),
                      where.begin(), thrust::multiplies<int>());
    auto picked = thrust::make_permutation_iterator(da.begin(), where.begin());
    to.resize(every.size());
    thrust::copy(picked, picked + every.size(), to.begin());
    same("permutation", thrust::host_vector<int>(to), every);
    thrust::device_vector<int> total(1);
    thrust::reduce_by_key(thrust::constant_iterator<int>(1), thrust::constant_iterator<int>(1) + n,
                          da.begin(), thrust::make_discard_iterator(), total.begin());
    int sum = 0;
    for (int x : a)
        sum += x;
    holds("discard", total[0] == sum);
    return verdict();
}
