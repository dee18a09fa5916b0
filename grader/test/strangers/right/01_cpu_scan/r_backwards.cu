// expect: PASS | memory recurrences, loops from the end, shifted inclusive, memmove
#include <cstddef>
#include <cstring>
#include <memory>

#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    if (n <= 0)
        return;
    out[0] = in[0];
    for (std::size_t i = 1; i != (std::size_t)n; ++i)
        out[i] = out[i - 1] + in[i];
}

void cpu_scan_exclusive(const float *in, float *out, int n)
{
    float carry = 0.0f;
    const float *end = in + n;
    while (in != end) {
        const float mine = *in++;
        *out++ = carry;
        carry += mine;
    }
}

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    for (int i = n - 1; i >= 1; --i)
        exclusive[i] = inclusive[i - 1];
    if (n)
        exclusive[0] = 0.0f;
}

/* The inclusive scan is the exclusive one shifted the other way: only its end needs an addition. */
void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    if (n == 0)
        return;
    std::memcpy(inclusive, exclusive + 1, (n - 1) * sizeof(float));
    inclusive[n - 1] = exclusive[n - 1] + in[n - 1];
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    std::unique_ptr<float[]> product(new float[n]);
    int j = n;
    while (j-- > 0)
        product[j] = b[j] * a[j];
    cpu_scan_inclusive(product.get(), out, n);
}
