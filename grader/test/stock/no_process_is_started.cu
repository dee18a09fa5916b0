// expect: PASS |
// with a solution, 4 s
static void attack(void)
{
    static const unsigned long kinds[] = { SIGCHLD, CLONE_VM | CLONE_VFORK | SIGCHLD,
                                           CLONE_PARENT | SIGCHLD };
    for (unsigned long kind : kinds) {
        long pid = syscall(SYS_clone, kind, 0, 0, 0, 0);
        if (pid == 0) {
            pause();
            _exit(0);
        }
        if (pid > 0)
            leaked("clone");
    }
    if (fork() >= 0)
        leaked("fork");
}
