// expect: COMPILE_ERROR |
#include "@KIT@/solutions/04_hillis_steele/hillis_steele.cu"

static void attack(void) {}
