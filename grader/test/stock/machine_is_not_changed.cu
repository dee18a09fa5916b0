// expect: PASS |
/* each call, where it succeeds, changes nothing */
static void attack(void)
{
    char name[100] = "x";
    gethostname(name, sizeof name - 1);
    if (syscall(SYS_settimeofday, NULL, NULL) == 0 || sethostname(name, strlen(name)) == 0)
        leaked("the machine");
    if (umount2("/no/such/place", 0) != 0 && errno == ENOENT)
        leaked("umount2");
    if (syscall(SYS_swapoff, "/no/such/place") != 0 && errno == ENOENT)
        leaked("swapoff");
    if (syscall(SYS_bpf, 100, NULL, 0) != 0 && errno == EINVAL)
        leaked("bpf");
    if (syscall(323 /* userfaultfd */, 1 << 30) != 0 && errno == EINVAL)
        leaked("userfaultfd");
}
