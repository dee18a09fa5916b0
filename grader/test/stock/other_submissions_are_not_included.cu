// expect: COMPILE_ERROR |
#include "@FOLDER@/../other/hillis_steele.cu"

static void attack(void) {}
