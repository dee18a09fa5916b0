// expect: COMPILE_ERROR |
#define CUT
int before = 0
#include "@SECRET@"
    ;

static void attack(void) {}
