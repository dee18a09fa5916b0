// expect: PASS |
static void attack(void)
{
    void *blocks[64];
    for (int block = 0; block < 64; block++) {
        volatile char *all =
            (volatile char *)mmap(NULL, 1ul << 30, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) {
            while (block-- > 0)
                munmap(blocks[block], 1ul << 30);
            return;
        }
        blocks[block] = (void *)all;
    }
    leaked("64 GiB of shared memory");
}
