// expect: PASS |
static void attack(void)
{
    /* the 32-bit table: 5 is open */
    long got;
    static char path[] = SECRET;
    char *low = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | 0x40 /* MAP_32BIT */, -1, 0);
    if (low == MAP_FAILED)
        return;
    strcpy(low, path);
#if defined __x86_64__ && !defined __CUDA_ARCH__
    __asm__ volatile("int $0x80" : "=a"(got) : "a"(5), "b"(low), "c"(0), "d"(0) : "memory");
    if (got >= 0)
        leaked("int 0x80");
    got = syscall(0x40000000 + 2, path, O_RDONLY, 0);
    if (got >= 0)
        leaked("x32");
#endif
}
