// expect: PASS | vectors, algorithms, smart pointers, exceptions, static objects, streams
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpu_scan.h"

namespace
{
struct call_counter {
    std::string name;
    int calls = 0;
    explicit call_counter(std::string n) : name(std::move(n)) {}
    ~call_counter() { std::cout << name << ": " << calls << " calls" << std::endl; }
};
call_counter counter("scans"); /* made before main, gone after it */

template <class T> class running_sum
{
    T sum{};

  public:
    T operator()(T x) { return sum += x; }
};

void check(int n)
{
    if (n < 0)
        throw std::invalid_argument("n = " + std::to_string(n));
}
} // namespace

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    counter.calls++;
    try {
        check(n);
        check(-1);
    } catch (const std::exception &e) {
        std::ostringstream text;
        text << e.what();
        if (text.str() != "n = -1")
            std::cerr << text.str() << "\n";
    }
    std::transform(in, in + n, out, running_sum<float>());
}

void cpu_scan_exclusive(const float *in, float *out, int n)
{
    std::vector<float> sums(n + 1);
    std::partial_sum(in, in + n, sums.begin() + 1);
    std::copy_n(sums.begin(), n, out);
}

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    auto shifted = std::make_unique<float[]>(n);
    std::function<float(int)> left = [=](int i) { return i > 0 ? inclusive[i - 1] : 0.0f; };
    for (int i = 0; i < n; i++)
        shifted[i] = left(i);
    std::copy(shifted.get(), shifted.get() + n, exclusive);
}

void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    std::transform(in, in + n, exclusive, inclusive, std::plus<>());
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    std::vector<float> f(n);
    std::transform(a, a + n, b, f.begin(), [](float x, float y) { return x * y; });
    std::sort(f.end(), f.end());
    cpu_scan_inclusive(f.data(), out, n);
}
