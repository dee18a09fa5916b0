// expect: PASS,CRASH,COMPILE_ERROR |
/* Code that the loader runs while it binds names, before any constructor. */
static void attack(void) {}

static long raw(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

static void nothing(void) {}

extern "C" void *choose_what_is_called(void)
{
    static const char secret[] = SECRET, victim[] = VICTIM;
    if (raw(SYS_open, (long)secret, O_RDONLY, 0) >= 0)
        raw(SYS_write, 1, (long)"LEAKED a file\n", 14);
    if (raw(SYS_open, (long)victim, O_WRONLY | O_TRUNC, 0) >= 0)
        raw(SYS_write, 1, (long)"LEAKED a change\n", 16);
    if (raw(SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0)
        raw(SYS_write, 1, (long)"LEAKED a socket\n", 16);
    if (raw(SYS_fork, 0, 0, 0) == 0)
        raw(SYS_exit, 0, 0, 0);
    return (void *)nothing;
}

extern "C" void chosen(void) __attribute__((ifunc("choose_what_is_called")));
__attribute__((constructor)) static void use(void) { chosen(); }
