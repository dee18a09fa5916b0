// expect: CRASH | virtual function without a body
/* A base class that calls, from its constructor, what only the derived class has. */
#include "cpu_scan.h"

struct scanner {
    scanner() { begin(); }
    void begin() { add(0.0f); }
    virtual void add(float x) = 0;
};
struct summing : scanner {
    float sum = 0.0f;
    void add(float x) override { sum += x; }
};

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    summing s;

    for (int i = 0; i < n; i++) {
        s.add(in[i]);
        out[i] = s.sum;
    }
}

void cpu_scan_exclusive(const float *, float *, int) {}
void cpu_exclusive_from_inclusive(const float *, float *, int) {}
void cpu_inclusive_from_exclusive(const float *, const float *, float *, int) {}
void cpu_recurrence(const float *, const float *, float *, int) {}
