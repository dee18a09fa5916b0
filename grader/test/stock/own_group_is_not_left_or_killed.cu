// expect: PASS |
static void attack(void)
{
    if (setsid() > 0 || setpgid(0, BYSTANDER) == 0)
        leaked("setsid");
    if (kill(0, SIGKILL) == 0)
        leaked("kill(0)");
}
