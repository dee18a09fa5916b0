// expect: PASS,POLICY,CRASH,CUDA_ERROR |
// with a solution, 4 s
/* The engine reads and writes there: a page that is gone would end it. */
static void attack(void)
{
    struct stat facts;

    signal(SIGXFSZ, SIG_IGN);
    if (fstat(3, &facts) != 0)
        return;
    if (ftruncate(3, 0) == 0)
        leaked("ftruncate to nothing");
    if (ftruncate(3, facts.st_size + (1ll << 40)) == 0)
        leaked("ftruncate to much more");
    if (syscall(SYS_fallocate, 3, 0, facts.st_size, 4096) == 0)
        leaked("fallocate");
    if (syscall(SYS_fallocate, 3, 3 /* punch a hole */, 0, facts.st_size) == 0)
        leaked("a hole");
    if (pwrite(3, "x", 1, facts.st_size) == 1)
        leaked("pwrite past the end");
    if (fcntl(3, 1033 /* F_ADD_SEALS */, 8 /* F_SEAL_WRITE */) == 0)
        leaked("a seal");
    void *all = mmap(NULL, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    if (all == MAP_FAILED)
        return;
    madvise(all, facts.st_size, MADV_REMOVE);
    munmap(all, facts.st_size);
}
