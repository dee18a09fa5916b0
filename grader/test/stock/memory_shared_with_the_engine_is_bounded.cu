// expect: MEM_LIMIT |
/* Pages of the memory that the engine shares are filled and let go of again, so that they count for
   no process, and stay. So in each process that is started: for the largest n, the memory is larger
   than the machine's. */
static void attack(void)
{
    const size_t part = (size_t)64 << 20;
    struct stat facts;
    static bool done;
    size_t filled = 0;

    if (done || fstat(3, &facts) != 0)
        return;
    done = true;
    for (size_t at = 0; at + part <= (size_t)facts.st_size && filled <= (size_t)6 << 30;
         at += part) {
        char *all = (char *)mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_SHARED, 3, (off_t)at);
        if (all == MAP_FAILED)
            break;
        for (size_t i = 0; i < part; i += 4096)
            all[i] = 1;
        munmap(all, part);
        filled += part;
    }
    if (filled > (size_t)6 << 30)
        leaked("more than 6 GiB of shared memory");
}
