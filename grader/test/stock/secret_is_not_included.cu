// expect: COMPILE_ERROR |
#include "@SECRET@"

static void attack(void) {}
