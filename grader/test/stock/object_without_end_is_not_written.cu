// expect: COMPILE_ERROR,COMPILE_LIMIT |
/* 64 GiB of one array that is not zero. */
static void attack(void) {}
__attribute__((used)) static char all[1ul << 36] = { 1 };
