// expect: PASS |
static void attack(void)
{
    uint64_t arguments[11] = { 0 };
    arguments[4] = SIGCHLD;
    long pid = syscall(435 /* clone3 */, arguments, sizeof arguments);
    if (pid == 0)
        for (;;)
            pause();
    if (pid > 0)
        leaked("clone3");
}
