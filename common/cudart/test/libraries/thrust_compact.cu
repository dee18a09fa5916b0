// shows: thrust::copy_if, remove_if, remove_copy, with and without a stencil
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/remove.h>

#include "check.h"

struct small {
    __host__ __device__ bool operator()(int x) const { return x < 3; }
};

int main()
{
    for (int n : { 0, 1, 1000, 12000 }) {
        const std::vector<int> in = numbers(n, 10), stencil = numbers(n, 2, 8);
        std::vector<int> kept, rest, marked, fives;
        for (int i = 0; i < n; i++) {
            (small()(in[i]) ? kept : rest).push_back(in[i]);
            if (stencil[i])
                marked.push_back(in[i]);
            if (in[i] != 5)
                fives.push_back(in[i]);
        }
        thrust::device_vector<int> d(in.begin(), in.end()), s(stencil.begin(), stencil.end()),
            to(n);
        to.resize(thrust::copy_if(d.begin(), d.end(), to.begin(), small()) - to.begin());
        same("copy_if", thrust::host_vector<int>(to), kept);
        to.resize(n);
        to.resize(
            thrust::copy_if(d.begin(), d.end(), s.begin(), to.begin(), thrust::identity<int>()) -
            to.begin());
        same("copy_if by a stencil", thrust::host_vector<int>(to), marked);
        to.resize(n);
        to.resize(thrust::remove_copy(d.begin(), d.end(), to.begin(), 5) - to.begin());
        same("remove_copy", thrust::host_vector<int>(to), fives);
        d.resize(thrust::remove_if(d.begin(), d.end(), small()) - d.begin());
        same("remove_if", thrust::host_vector<int>(d), rest);
    }
    return verdict();
}
