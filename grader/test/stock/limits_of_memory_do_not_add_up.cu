// expect: MEM_LIMIT |
/* 1.8 GiB of its own, and as much as there is shared with the engine, which it lets go of: of 2 GiB
   in all. */
static void attack(void)
{
    const size_t part = (size_t)64 << 20, own = (size_t)29 * part;
    struct stat facts;
    size_t shared = 0, held = 0;

    if (fstat(3, &facts) != 0)
        return;
    while (shared < (size_t)448 << 20 && shared + part <= (size_t)facts.st_size) {
        char *all = (char *)mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_SHARED, 3, (off_t)shared);
        if (all == MAP_FAILED)
            return;
        for (size_t i = 0; i < part; i += 4096)
            all[i] = 1;
        munmap(all, part);
        shared += part;
    }
    while (held < own) {
        char *all =
            (char *)mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED)
            return;
        for (size_t i = 0; i < part; i += 4096)
            all[i] = 1;
        held += part;
    }
    usleep(500000);
    if (held + shared > (size_t)2 << 30)
        leaked("more memory than its limit");
}
