// expect: COMPILE_ERROR | write: void cpu_scan_inclusive(const float *in, float *out, int n)
