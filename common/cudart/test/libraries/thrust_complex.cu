// shows: thrust::complex in kernels, pairs and tuples as elements
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include "check.h"

typedef thrust::complex<float> number;
typedef thrust::pair<int, int> range;

struct turn {
    __host__ __device__ number operator()(number z) const { return z * number(0, 1); }
};
struct join {
    __host__ __device__ range operator()(range a, range b) const
    {
        return range(a.first < b.first ? a.first : b.first,
                     a.second > b.second ? a.second : b.second);
    }
};
struct single {
    __host__ __device__ range operator()(int x) const { return range(x, x); }
};

int main()
{
    const int n = 2000;
    const std::vector<int> in = numbers(n, 10000);
    std::vector<number> z(n), turned(n);
    int least = in[0], most = in[0];
    for (int i = 0; i < n; i++) {
        z[i] = number((float)in[i], (float)i);
        turned[i] = number((float)-i, (float)in[i]);
        least = in[i] < least ? in[i] : least;
        most = in[i] > most ? in[i] : most;
    }
    thrust::device_vector<number> d(z.begin(), z.end());
    thrust::transform(d.begin(), d.end(), d.begin(), turn());
    same("turned", thrust::host_vector<number>(d), turned);
    thrust::device_vector<int> x(in.begin(), in.end());
    thrust::device_vector<range> ranges(n);
    thrust::transform(x.begin(), x.end(), ranges.begin(), single());
    range all = thrust::reduce(ranges.begin(), ranges.end(), range(1 << 30, -1), join());
    holds("the range", all.first == least && all.second == most);
    return verdict();
}
