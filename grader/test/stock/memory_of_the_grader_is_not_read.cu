// expect: PASS |
static void attack(void)
{
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    if (open(path, O_RDWR) >= 0 || open(path, O_RDONLY) >= 0)
        leaked("mem");
    snprintf(path, sizeof path, "/proc/%d/maps", getppid());
    tell_file(path);
    struct iovec mine = { &byte, 1 }, others = { (void *)&puts, 1 };
    if (process_vm_readv(getppid(), &mine, 1, &others, 1, 0) == 1)
        leaked("process_vm_readv");
    if (process_vm_readv(BYSTANDER, &mine, 1, &others, 1, 0) == 1)
        leaked("process_vm_readv of a bystander");
}
