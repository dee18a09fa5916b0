// expect: EARLY_EXIT | before any of your functions was called
#include <unistd.h>
#include "cpu_scan.h"

__attribute__((constructor)) static void leave(void) { _exit(0); }

void cpu_scan_inclusive(const float *in, float *out, int n) {}
