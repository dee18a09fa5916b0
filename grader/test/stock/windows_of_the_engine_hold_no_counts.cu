// expect: PASS,WRONG,CRASH,POLICY,MEM_LIMIT |
// with a solution, 4 s
/* A byte of every page of the shared memory's parts is changed, while managed memory is in use. */
static void attack(void)
{
    struct stat facts;
    int *managed = NULL;

    if (fstat(3, &facts) != 0)
        return;
    if (cudaMallocManaged((void **)&managed, 1 << 20) == cudaSuccess)
        managed[5] = 5;
    for (off_t at = 0; at < facts.st_size; at += 1 << 22) {
        char *page = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, at);
        if (page == MAP_FAILED)
            continue;
        memset(page, 0xff, 4096);
        munmap(page, 4096);
    }
    cudaFree(managed);
}
