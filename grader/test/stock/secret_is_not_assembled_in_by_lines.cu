// expect: COMPILE_ERROR | include file
__asm__(".include \"@SECRET@\"");

static void attack(void) {}
