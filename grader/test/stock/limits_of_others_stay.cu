// expect: PASS |
static void attack(void)
{
    struct rlimit none = { 0, 0 };
    if (prlimit(BYSTANDER, RLIMIT_CPU, &none, NULL) == 0 ||
        (getppid() > 1 && prlimit(getppid(), RLIMIT_FSIZE, &none, NULL) == 0))
        leaked("prlimit");
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    if (setpriority(PRIO_PROCESS, BYSTANDER, 19) == 0 ||
        sched_setaffinity(BYSTANDER, sizeof one, &one) == 0)
        leaked("setpriority");
    if (syscall(SYS_ioprio_set, 1, BYSTANDER, 3 << 13) == 0)
        leaked("ioprio_set");
}
