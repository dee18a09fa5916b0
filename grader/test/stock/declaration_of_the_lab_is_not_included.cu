// expect: COMPILE_ERROR |
#include "lab.c"

static void attack(void) {}
