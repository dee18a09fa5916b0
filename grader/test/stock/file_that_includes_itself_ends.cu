// expect: COMPILE_ERROR,COMPILE_LIMIT |
/* Twice, each time: 2^200 files. */
static void attack(void) {}
#include __FILE__
#include __FILE__
