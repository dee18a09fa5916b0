// shows: cub::DeviceSelect: If, Flagged, Unique
#include <cub/device/device_select.cuh>

#include "check.h"

struct below {
    int bound;
    __device__ __host__ bool operator()(int x) const { return x < bound; }
};

static void check(int n)
{
    const std::vector<int> in = numbers(n, 5);
    const std::vector<char> flags = numbers<char>(n, 2, 7);
    std::vector<int> small, flagged, unique;
    for (int i = 0; i < n; i++) {
        if (below{ 2 }(in[i]))
            small.push_back(in[i]);
        if (flags[i])
            flagged.push_back(in[i]);
        if (i == 0 || in[i] != in[i - 1])
            unique.push_back(in[i]);
    }
    on_device<int> from(in), to(n), count(1);
    on_device<char> flag(flags);
    auto holds_those = [&](const char *what, const std::vector<int> &wanted) {
        holds(what, count.back()[0] == (int)wanted.size());
        same(what, to.back(wanted.size()), wanted);
    };
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSelect::If(s, bytes, (int *)from, (int *)to, (int *)count, n, below{ 2 });
    });
    holds_those("if", small);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSelect::Flagged(s, bytes, (int *)from, (char *)flag, (int *)to,
                                          (int *)count, n);
    });
    holds_those("flagged", flagged);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceSelect::Unique(s, bytes, (int *)from, (int *)to, (int *)count, n);
    });
    holds_those("unique", unique);
}

int main()
{
    for (int n : { 1, 1000, 15000 })
        check(n);
    return verdict();
}
