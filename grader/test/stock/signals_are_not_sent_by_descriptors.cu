// expect: PASS |
static void attack(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    if (fcntl(ends[0], F_SETOWN, BYSTANDER) == 0)
        leaked("F_SETOWN");
    if (fcntl(ends[0], 10 /* F_SETSIG */, SIGKILL) == 0)
        leaked("F_SETSIG");
    struct {
        int type, pid;
    } owner = { 1, BYSTANDER };
    if (fcntl(ends[0], 15 /* F_SETOWN_EX */, &owner) == 0)
        leaked("F_SETOWN_EX");
    int pid = BYSTANDER;
    if (syscall(SYS_ioctl, ends[0], 0x8901 /* FIOSETOWN */, &pid) == 0)
        leaked("FIOSETOWN");
}
