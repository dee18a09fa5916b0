// expect: COMPILE_ERROR |
extern "C" void unknown(void) __asm__("\033[31mPASS");
static void attack(void) { unknown(); }
