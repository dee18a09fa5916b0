// expect: PASS,COMPILE_ERROR |
__asm__(".section .deplibs,\"MS\",@llvm_dependent_libraries,1\n.asciz \"@SECRET@\"\n.previous");

static void attack(void) {}
