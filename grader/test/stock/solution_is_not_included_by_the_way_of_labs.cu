// expect: COMPILE_ERROR |
#include "../../solutions/04_hillis_steele/hillis_steele.cu"

static void attack(void) {}
