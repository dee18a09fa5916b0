// expect: PASS,COMPILE_ERROR |
#pragma clang module import secret
#pragma comment(lib, "@SECRET@")
#pragma weak __libc_start_main

static void attack(void) {}
