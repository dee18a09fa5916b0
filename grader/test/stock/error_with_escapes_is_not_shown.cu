// expect: COMPILE_ERROR | undeclared
static void attack(void)
{
    __asm__("\033[2J\033[31mPASS");
    undeclared_name;
}
