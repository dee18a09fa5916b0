// expect: COMPILE_ERROR,COMPILE_LIMIT |
/* A compiler has a pragma that ends it by a signal; what it leaves then must not stay. */
static void attack(void) {}
#pragma clang __debug crash
