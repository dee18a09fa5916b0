// expect: COMPILE_ERROR | does not define cpu_scan_inclusive
#include "/dev/zero"
