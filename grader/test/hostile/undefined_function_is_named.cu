// expect: COMPILE_ERROR | uses a name that is defined nowhere: scan_the_rest
#include "cpu_scan.h"

extern "C" void scan_the_rest(const float *in, float *out, int n);

void cpu_scan_inclusive(const float *in, float *out, int n) { scan_the_rest(in, out, n); }
