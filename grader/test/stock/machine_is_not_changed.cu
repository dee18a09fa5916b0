// expect: PASS |
static void attack(void)
{
    struct timeval now = { 1, 0 };
    if (settimeofday(&now, NULL) == 0 || sethostname("x", 1) == 0 ||
        syscall(SYS_swapoff, "/x") == 0)
        leaked("the machine");
    if (syscall(SYS_bpf, 0, NULL, 0) >= 0 || syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0) >= 0 ||
        syscall(323 /* userfaultfd */, 0) >= 0)
        leaked("the kernel");
}
