// shows: thrust's random engines and distributions in a kernel; shuffle
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "check.h"

struct draw {
    __host__ __device__ float operator()(int i) const
    {
        thrust::default_random_engine engine;
        engine.discard(i);
        return thrust::uniform_real_distribution<float>(0, 1)(engine);
    }
};

int main()
{
    const int n = 3000;
    thrust::device_vector<float> d(n);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                      d.begin(), draw());
    std::vector<float> wanted(n);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += wanted[i] = draw()(i);
    same("as on the host", thrust::host_vector<float>(d), wanted);
    holds("their mean", sum > 0.4f * n && sum < 0.6f * n);
    thrust::device_vector<int> order(n);
    thrust::sequence(order.begin(), order.end());
    thrust::shuffle(order.begin(), order.end(), thrust::default_random_engine(7));
    thrust::host_vector<int> moved = order;
    int still = 0;
    for (int i = 0; i < n; i++)
        still += moved[i] == i;
    holds("shuffled", still < n / 10);
    thrust::sort(moved.begin(), moved.end());
    for (int i = 0; i < n; i++)
        still += moved[i] != i;
    holds("a permutation", still < n / 10);
    return verdict();
}
