// shows: thrust::reduce, transform_reduce, inner_product, count, count_if
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include "check.h"

struct square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

int main()
{
    for (int n : { 1, 100, 30000 }) {
        const std::vector<int> in = numbers(n, 1000), other = numbers(n, 10, 4);
        int sum = 5, most = 0, sevens = 0, evens = 0;
        long long squares = 0, product = 0;
        for (int i = 0; i < n; i++) {
            sum += in[i];
            most = in[i] > most ? in[i] : most;
            sevens += in[i] == 7;
            evens += in[i] % 2 == 0;
            squares += (long long)in[i] * in[i];
            product += in[i] * other[i];
        }
        thrust::device_vector<int> d(in.begin(), in.end()), e(other.begin(), other.end());
        holds("reduce", thrust::reduce(d.begin(), d.end(), 5) == sum);
        holds("maximum", thrust::reduce(d.begin(), d.end(), -1, thrust::maximum<int>()) == most);
        holds("transform_reduce", thrust::transform_reduce(d.begin(), d.end(), square(), 0ll,
                                                           thrust::plus<long long>()) == squares);
        holds("inner_product",
              thrust::inner_product(d.begin(), d.end(), e.begin(), 0ll) == product);
        holds("count", thrust::count(d.begin(), d.end(), 7) == sevens);
        holds("count_if", thrust::count_if(d.begin(), d.end(), even()) == evens);
    }
    return verdict();
}
