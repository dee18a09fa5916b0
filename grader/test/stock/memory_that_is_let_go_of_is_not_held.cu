// expect: PASS |
/* Shared memory is filled and let go of again, so that it counts for no process, and stays. */
static void attack(void)
{
    const size_t part = (size_t)64 << 20;
    size_t held = 0;

    for (int block = 0; block < 40; block++) {
        char *all =
            (char *)mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED)
            break;
        for (size_t i = 0; i < part; i += 4096)
            all[i] = 1;
        madvise(all, part, MADV_DONTNEED);
        held += part;
    }
    if (held > (size_t)2 << 30)
        leaked("more memory than its limit");
}
