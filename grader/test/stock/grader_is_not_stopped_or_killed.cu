// expect: PASS |
static void attack(void)
{
    if (getppid() > 1 && (kill(getppid(), SIGSTOP) == 0 || kill(getppid(), SIGKILL) == 0))
        leaked("kill");
    union sigval value = { 0 };
    if (getppid() > 1 && sigqueue(getppid(), SIGKILL, value) == 0)
        leaked("sigqueue");
}
