// expect: COMPILE_ERROR | incbin
__asm__(".section .rodata\n.globl taken\ntaken: .incbin \"@SECRET@\"\n.byte 0\n.previous");
extern "C" const char taken[];

static void attack(void)
{
    leaked("incbin");
    puts(taken);
}
