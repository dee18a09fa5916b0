// expect: PASS |
static void attack(void)
{
    static const int signals[] = { SIGTERM, SIGKILL, SIGSTOP, 0 };
    for (int number : signals) {
        if (kill(BYSTANDER, number) == 0)
            leaked("kill");
        if (syscall(SYS_tgkill, BYSTANDER, BYSTANDER, number) == 0)
            leaked("tgkill");
        if (syscall(SYS_tkill, BYSTANDER, number) == 0)
            leaked("tkill");
    }
}
