// expect: PASS | one template with a functor and a flag, unrolled by four
#include "cpu_scan.h"

namespace {
struct plus {
    static constexpr float identity = 0.0f;
    float operator()(float l, float r) const { return l + r; }
};

template <bool Inclusive, typename Op>
inline float one(const float *in, float *out, int i, float sum, Op op)
{
    if (!Inclusive) {
        float next = op(sum, in[i]);
        out[i] = sum;
        return next;
    }
    return out[i] = op(sum, in[i]);
}

template <bool Inclusive, typename Op> void scan(const float *in, float *out, int n, Op op)
{
    float sum = Op::identity;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        sum = one<Inclusive>(in, out, i, sum, op);
        sum = one<Inclusive>(in, out, i + 1, sum, op);
        sum = one<Inclusive>(in, out, i + 2, sum, op);
        sum = one<Inclusive>(in, out, i + 3, sum, op);
    }
    while (i < n) {
        sum = one<Inclusive>(in, out, i, sum, op);
        i++;
    }
}
} // namespace

void cpu_scan_inclusive(const float *in, float *out, int n) { scan<true>(in, out, n, plus{}); }
void cpu_scan_exclusive(const float *in, float *out, int n) { scan<false>(in, out, n, plus()); }

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    float last = 0.0f;
    for (int i = 0; i < n; i++) {
        exclusive[i] = last;
        last = inclusive[i];
    }
}

void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    /* the exclusive scan names the carry; the rest is the scan of in from it */
    if (n == 0)
        return;
    float sum = exclusive[0];
    for (int i = 0; i < n; i++)
        inclusive[i] = sum += in[i];
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    auto f = [=](int j) { return a[j] * b[j]; };
    for (int j = 0; j < n; j++)
        out[j] = f(j);
    cpu_scan_inclusive(out, out, n);
}
