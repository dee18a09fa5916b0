// expect: COMPILE_ERROR |
#include "/dev/zero"

static void attack(void) {}
