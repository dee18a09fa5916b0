/*
 * compare.cu: see compare.h. A block compares runs of RUN elements, a grid's width apart; only
 * where a run begins is the index divided by the period.
 */
#include "compare.h"

#include <cuda_runtime.h>

enum { THREADS = 256, PER_THREAD = 16, RUN = THREADS * PER_THREAD, MOST_BLOCKS = 132 * 16 };

__device__ bool is_equal(unsigned a, unsigned b) { return a == b; }
__device__ bool is_equal(unsigned long long a, unsigned long long b) { return a == b; }
__device__ bool is_equal(float a, float b) { return a == b; }

template <typename T>
__global__ void compare_runs(const T *d_expected, size_t period, const T *d_got, size_t length,
                             compare_result *d_result)
{
    unsigned long long wrong = 0, first = ~0ull;

    for (size_t run = blockIdx.x * (size_t)RUN; run < length; run += gridDim.x * (size_t)RUN) {
        const size_t begin = run % period;
        for (unsigned k = threadIdx.x; k < RUN && run + k < length; k += THREADS) {
            size_t at = begin + k;
            while (at >= period)
                at -= period;
            if (!is_equal(d_expected[at], d_got[run + k])) {
                wrong++;
                if (run + k < first)
                    first = run + k;
            }
        }
    }
    if (wrong > 0) {
        atomicAdd(&d_result->wrong, wrong);
        atomicMin(&d_result->first, first);
    }
}

template <typename T>
static int compare(const void *d_expected, size_t period, const void *d_got, size_t length,
                   compare_result *d_result)
{
    const size_t runs = (length + RUN - 1) / RUN;

    if (runs == 0)
        return 0;
    const unsigned blocks = runs < MOST_BLOCKS ? (unsigned)runs : (unsigned)MOST_BLOCKS;
    // clang-format off
    compare_runs<T><<<blocks, THREADS>>>((const T *)d_expected, period, (const T *)d_got, length,
                                         d_result);
    // clang-format on
    return (int)cudaGetLastError();
}

extern "C" int compare_on_device(compare_kind kind, const void *d_expected, size_t period,
                                 const void *d_got, size_t length, compare_result *d_result)
{
    switch (kind) {
    case COMPARE_WORDS_4: return compare<unsigned>(d_expected, period, d_got, length, d_result);
    case COMPARE_WORDS_8:
        return compare<unsigned long long>(d_expected, period, d_got, length, d_result);
    case COMPARE_FLOATS: return compare<float>(d_expected, period, d_got, length, d_result);
    }
    return (int)cudaErrorInvalidValue;
}

__global__ void clear_result(compare_result *d_result)
{
    d_result->wrong = 0;
    d_result->first = ~0ull;
}

extern "C" int compare_clear(compare_result *d_result)
{
    clear_result<<<1, 1>>>(d_result);
    return (int)cudaGetLastError();
}
