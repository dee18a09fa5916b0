// shows: thrust::lower_bound, upper_bound, binary_search, of many values and of one
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>

#include "check.h"

int main()
{
    const int n = 2000, questions = 5000;
    std::vector<int> in = numbers(n, 3000), asked = numbers(questions, 3100, 5), low, high, there;
    std::sort(in.begin(), in.end());
    for (int x : asked) {
        low.push_back((int)(std::lower_bound(in.begin(), in.end(), x) - in.begin()));
        high.push_back((int)(std::upper_bound(in.begin(), in.end(), x) - in.begin()));
        there.push_back(std::binary_search(in.begin(), in.end(), x));
    }
    thrust::device_vector<int> d(in.begin(), in.end()), q(asked.begin(), asked.end()),
        to(questions);
    thrust::lower_bound(d.begin(), d.end(), q.begin(), q.end(), to.begin());
    same("lower_bound", thrust::host_vector<int>(to), low);
    thrust::upper_bound(d.begin(), d.end(), q.begin(), q.end(), to.begin());
    same("upper_bound", thrust::host_vector<int>(to), high);
    thrust::binary_search(d.begin(), d.end(), q.begin(), q.end(), to.begin());
    same("binary_search", thrust::host_vector<int>(to), there);
    holds("of one value", thrust::lower_bound(d.begin(), d.end(), asked[7]) - d.begin() == low[7]);
    return verdict();
}
