// expect: PASS | warnings and more
#define TWO(x)  x x
#define LINE(k) if (x = k) x += TWO(k +) 1;
#define TEN(k)                                                                                     \
    LINE(k##0) LINE(k##1) LINE(k##2) LINE(k##3) LINE(k##4) LINE(k##5) LINE(k##6) LINE(k##7)        \
        LINE(k##8) LINE(k##9)
#define HUNDRED(k)                                                                                 \
    TEN(k##0) TEN(k##1) TEN(k##2) TEN(k##3) TEN(k##4) TEN(k##5) TEN(k##6) TEN(k##7) TEN(k##8)      \
        TEN(k##9)
#define THOUSAND(k)                                                                                \
    HUNDRED(k##0) HUNDRED(k##1) HUNDRED(k##2) HUNDRED(k##3) HUNDRED(k##4)                          \
        HUNDRED(k##5) HUNDRED(k##6) HUNDRED(k##7) HUNDRED(k##8) HUNDRED(k##9)
int noise(int x)
{
    THOUSAND(1)
    THOUSAND(2)
    return x;
}

#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    float sum = 0.0f; /* a register: out[i-1] would have to come back from memory before the
                           next addition */
    for (int i = 0; i < n; i++) {
        sum += in[i];
        out[i] = sum;
    }
}

void cpu_scan_exclusive(const float *in, float *out, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        out[i] = sum; /* stored before in[i] joins the sum: that order is all that makes the
                           scan exclusive */
        sum += in[i];
    }
}

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    for (int i = 0; i < n; i++)
        exclusive[i] = i > 0 ? inclusive[i - 1] : 0.0f;
}

void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    for (int i = 0; i < n; i++)
        inclusive[i] = exclusive[i] + in[i];
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    for (int j = 0; j < n; j++)
        out[j] = a[j] * b[j]; /* map: n independent products */
    /* scan, in place: element i is read before it is overwritten */
    cpu_scan_inclusive(out, out, n);
}
