/*
 * check.h: what the programs in this folder share. Each calls collectives of CUB or algorithms of
 * Thrust, compares what they give with a plain loop of the host, and ends with `return verdict();`:
 * it prints PASS, or what was wrong.
 */
#ifndef LIBRARIES_CHECK_H
#define LIBRARIES_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <vector>

static int wrong;

/* n numbers from 0 to most - 1, the same in every run. */
template <class T = int> static std::vector<T> numbers(size_t n, unsigned most, unsigned seed = 1)
{
    std::vector<T> made(n);
    for (T &one : made) {
        seed = seed * 1664525u + 1013904223u;
        one = (T)((seed >> 8) % most);
    }
    return made;
}

static void succeeds(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    exit(1);
}

/* Both are containers; the elements are compared one by one. */
template <class Got, class Wanted>
static void same(const char *what, const Got &got, const Wanted &wanted)
{
    size_t at = 0, n = wanted.size();
    while (at < n && at < got.size() && got[at] == wanted[at])
        at++;
    if (at == n && got.size() == n)
        return;
    wrong++;
    printf("%s: element %zu differs (%zu elements, %zu wanted)\n", what, at, (size_t)got.size(), n);
}

static void holds(const char *what, bool true_there)
{
    wrong += !true_there;
    if (!true_there)
        printf("%s: wrong\n", what);
}

/* An array of the device. */
template <class T> class on_device
{
  public:
    explicit on_device(size_t n) : size_(n) { succeeds(cudaMalloc(&at_, (n ? n : 1) * sizeof(T))); }
    on_device(const std::vector<T> &from) : on_device(from.size())
    {
        succeeds(cudaMemcpy(at_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    on_device(const on_device &) = delete;
    ~on_device() { cudaFree(at_); }
    operator T *() const { return at_; }
    std::vector<T> back(size_t n) const
    {
        std::vector<T> copy(n);
        succeeds(cudaMemcpy(copy.data(), at_, n * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
    std::vector<T> back() const { return back(size_); }

  private:
    T *at_ = nullptr;
    size_t size_;
};

/* As CUB's device collectives are called: once for the bytes of scratch memory, and once to work.
   */
template <class Call> static void with_scratch(Call call)
{
    void *scratch = nullptr;
    size_t bytes = 0;
    succeeds(call(scratch, bytes));
    succeeds(cudaMalloc(&scratch, bytes ? bytes : 1));
    succeeds(call(scratch, bytes));
    succeeds(cudaDeviceSynchronize());
    succeeds(cudaFree(scratch));
}

static int verdict()
{
    succeeds(cudaGetLastError());
    succeeds(cudaDeviceSynchronize());
    puts(wrong ? "WRONG" : "PASS");
    return wrong != 0;
}

#endif
