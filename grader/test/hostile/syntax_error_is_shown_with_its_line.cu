// expect: COMPILE_ERROR | cpu_scan.cu:4:72: error: use of undeclared identifier 'inn'
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n) { out[0] = inn[0]; }
