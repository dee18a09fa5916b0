// shows: thrust::merge, merge_by_key
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>

#include <algorithm>

#include "check.h"

int main()
{
    for (int n : { 1, 500, 7000 }) {
        std::vector<int> a = numbers(n, 2000), b = numbers(n / 2 + 1, 2000, 5), all;
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
        std::vector<int> from_a(a.size(), 1), from_b(b.size(), 2), side;
        for (size_t i = 0, j = 0; i + j < all.size();) /* of equals, a's come first */
            if (j == b.size() || (i < a.size() && a[i] <= b[j]))
                side.push_back(1), i++;
            else
                side.push_back(2), j++;
        thrust::device_vector<int> da(a.begin(), a.end()), db(b.begin(), b.end()),
            va(from_a.begin(), from_a.end()), vb(from_b.begin(), from_b.end()), to(all.size()),
            by(all.size());
        thrust::merge(da.begin(), da.end(), db.begin(), db.end(), to.begin());
        same("merge", thrust::host_vector<int>(to), all);
        thrust::merge_by_key(da.begin(), da.end(), db.begin(), db.end(), va.begin(), vb.begin(),
                             to.begin(), by.begin());
        same("merge_by_key: keys", thrust::host_vector<int>(to), all);
        same("merge_by_key: values", thrust::host_vector<int>(by), side);
    }
    return verdict();
}
