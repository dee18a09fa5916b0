// expect: MEM_LIMIT |
// with a solution, 5 s
static void attack(void)
{
    for (int block = 0; block < 4096; block++) {
        char *all =
            (char *)mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED)
            for (;;)
                pause();
        memset(all, 1, 1 << 24);
    }
}
