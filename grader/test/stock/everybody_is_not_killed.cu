// expect: PASS |
static void attack(void)
{
    if (kill(-1, SIGTERM) == 0 || kill(-1, SIGKILL) == 0)
        leaked("kill(-1)");
}
