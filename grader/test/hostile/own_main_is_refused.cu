// expect: COMPILE_ERROR | defines main
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n) {}

int main(void) { return 0; }
