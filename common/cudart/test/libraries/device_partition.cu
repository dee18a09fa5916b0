// shows: cub::DevicePartition: If, Flagged, three ways
#include <cub/device/device_partition.cuh>

#include "check.h"

struct below {
    int bound;
    __device__ __host__ bool operator()(int x) const { return x < bound; }
};
struct from {
    int bound;
    __device__ __host__ bool operator()(int x) const { return x >= bound; }
};

static void check(int n)
{
    const std::vector<int> in = numbers(n, 100);
    const std::vector<char> flags = numbers<char>(n, 2, 7);
    std::vector<int> front, back, set, unset, few, most, rest;
    for (int i = 0; i < n; i++) {
        (in[i] < 30 ? front : back).push_back(in[i]);
        (flags[i] ? set : unset).push_back(in[i]);
        (in[i] < 20 ? few : in[i] >= 70 ? most : rest).push_back(in[i]);
    }
    const size_t set_count = set.size(), front_count = front.size();
    /* what is not chosen comes from the end on */
    front.insert(front.end(), back.rbegin(), back.rend());
    set.insert(set.end(), unset.rbegin(), unset.rend());
    on_device<int> source(in), to(n), large(n), others(n), count(2);
    on_device<char> flag(flags);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DevicePartition::If(s, bytes, (int *)source, (int *)to, (int *)count, n,
                                        below{ 30 });
    });
    holds("if", count.back(1)[0] == (int)front_count);
    same("if", to.back(), front);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DevicePartition::Flagged(s, bytes, (int *)source, (char *)flag, (int *)to,
                                             (int *)count, n);
    });
    holds("flagged", count.back(1)[0] == (int)set_count);
    same("flagged", to.back(), set);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DevicePartition::If(s, bytes, (int *)source, (int *)to, (int *)large,
                                        (int *)others, (int *)count, n, below{ 20 }, from{ 70 });
    });
    holds("three ways", count.back()[0] == (int)few.size() && count.back()[1] == (int)most.size());
    same("first", to.back(few.size()), few);
    same("second", large.back(most.size()), most);
    same("rest", others.back(rest.size()), rest);
}

int main()
{
    for (int n : { 1, 1000, 15000 })
        check(n);
    return verdict();
}
