// shows: thrust::transform, unary and binary, placeholders, transform_if, replace_if, generate
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/replace.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include "check.h"

struct saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct odd {
    __host__ __device__ bool operator()(int x) const { return x % 2; }
};
struct square {
    __host__ __device__ int operator()(int i) const { return i * i; }
};
struct three {
    __device__ int operator()() const { return 3; }
};

int main()
{
    using namespace thrust::placeholders;
    const int n = 5000;
    const std::vector<int> in = numbers(n, 1000);
    const std::vector<float> x = numbers<float>(n, 100, 2), y = numbers<float>(n, 100, 3);
    std::vector<float> axpy(n);
    std::vector<int> minus(n), some = in, replaced = in, squares(n);
    for (int i = 0; i < n; i++) {
        axpy[i] = 2 * x[i] + y[i];
        minus[i] = 3 - in[i];
        some[i] = in[i] % 2 ? -in[i] : in[i];
        replaced[i] = in[i] < 500 ? 0 : in[i];
        squares[i] = i * i;
    }
    thrust::device_vector<float> dx(x.begin(), x.end()), dy(y.begin(), y.end());
    thrust::device_vector<int> from(in.begin(), in.end()), to(n);
    thrust::transform(dx.begin(), dx.end(), dy.begin(), dy.begin(), saxpy{ 2 });
    same("saxpy", thrust::host_vector<float>(dy), axpy);
    thrust::transform(from.begin(), from.end(), to.begin(), 3 - _1);
    same("placeholder", thrust::host_vector<int>(to), minus);
    to = from;
    thrust::transform_if(from.begin(), from.end(), to.begin(), thrust::negate<int>(), odd());
    same("transform_if", thrust::host_vector<int>(to), some);
    to = from;
    thrust::replace_if(to.begin(), to.end(), _1 < 500, 0);
    same("replace_if", thrust::host_vector<int>(to), replaced);
    thrust::tabulate(to.begin(), to.end(), square());
    same("tabulate", thrust::host_vector<int>(to), squares);
    thrust::generate(to.begin(), to.end(), three());
    same("generate", thrust::host_vector<int>(to), std::vector<int>(n, 3));
    return verdict();
}
