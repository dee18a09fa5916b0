// shows: thrust::device, thrust::host, par.on(stream), device_ptr, managed memory, in a lambda
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/universal_vector.h>

#include "check.h"

int main()
{
    const int n = 3000;
    const std::vector<int> in = numbers(n, 1000);
    std::vector<int> up(n);
    for (int i = 0; i < n; i++)
        up[i] = in[i] + (i ? up[i - 1] : 0);
    on_device<int> from(in), to(n);
    cudaStream_t stream;
    succeeds(cudaStreamCreate(&stream));
    thrust::inclusive_scan(thrust::cuda::par.on(stream), (int *)from, from + n, (int *)to);
    succeeds(cudaStreamSynchronize(stream));
    same("on a stream", to.back(), up);
    holds("raw pointers", thrust::reduce(thrust::device, (int *)from, from + n) == up[n - 1]);
    thrust::device_ptr<int> pointer((int *)from);
    holds("device_ptr", thrust::reduce(pointer, pointer + n) == up[n - 1]);
    holds("on the host", thrust::reduce(thrust::host, in.begin(), in.end()) == up[n - 1]);
    int *raw = to;
    thrust::for_each(thrust::device, thrust::counting_iterator<int>(0),
                     thrust::counting_iterator<int>(n), [=] __device__(int i) { raw[i] = 2 * i; });
    std::vector<int> twice(n);
    for (int i = 0; i < n; i++)
        twice[i] = 2 * i;
    same("lambda", to.back(), twice);
    thrust::universal_vector<int> both(in.begin(), in.end());
    thrust::inclusive_scan(thrust::device, both.begin(), both.end(), both.begin());
    succeeds(cudaDeviceSynchronize());
    same("managed", both, up);
    succeeds(cudaStreamDestroy(stream));
    return verdict();
}
