// shows: thrust::host_vector, device_vector, copies, resize, insert, fill, sequence, raw pointers
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

#include "check.h"

__global__ void twice(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

int main()
{
    const int n = 3000;
    thrust::device_vector<int> d(n, 7);
    thrust::sequence(d.begin() + 10, d.begin() + 20, 100, 5);
    thrust::fill(d.begin() + 20, d.begin() + 30, -1);
    d[3] = 42;
    d.resize(n + 5, 9);
    d.push_back(11);
    d.insert(d.begin(), 1);
    d.erase(d.begin() + 1);
    twice<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(d.data()), n);
    thrust::host_vector<int> h = d;
    std::vector<int> wanted(n + 6);
    for (int i = 0; i < n + 6; i++) {
        int x = i == 0 ? 1 : i >= 10 && i < 20 ? 100 + 5 * (i - 10) : i >= 20 && i < 30 ? -1 : 7;
        x = i == 3 ? 42 : i >= n ? 9 : x;
        wanted[i] = i == n + 5 ? 11 : i < n ? 2 * x : x;
    }
    same("after all", h, wanted);
    thrust::device_vector<int> other(h.begin(), h.end()), part(100);
    thrust::copy(other.begin() + 5, other.begin() + 105, part.begin());
    holds("equal", other == d);
    same("part", thrust::host_vector<int>(part),
         std::vector<int>(wanted.begin() + 5, wanted.begin() + 105));
    d.clear();
    holds("empty", d.empty() && other.size() == h.size());
    return verdict();
}
