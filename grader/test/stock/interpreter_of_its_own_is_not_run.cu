// expect: PASS,COMPILE_ERROR,CRASH,EARLY_EXIT |
/* Who is to load the program: the file says so itself. */
__attribute__((section(".interp"), used)) static const char loader[] = SECRET;
static void attack(void) {}
