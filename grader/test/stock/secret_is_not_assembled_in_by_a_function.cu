// expect: COMPILE_ERROR | incbin
static void attack(void)
{
    const char *taken = NULL;
    __asm__ volatile("jmp 2f\n1: .incbin \"@SECRET@\"\n.byte 0\n2: lea 1b(%%rip), %0"
                     : "=r"(taken));
    leaked("incbin");
    puts(taken);
}
