// expect: PASS | warning
#define TEN(x) x x x x x x x x x x
#define LINE                                                                                       \
    if (x = 1)                                                                                     \
        x++;
int noise(int x)
{
    TEN(TEN(TEN(TEN(LINE))))
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
