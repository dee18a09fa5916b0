// expect: PASS |
static void attack(void)
{
    struct timeval times[2] = { { 1, 0 }, { 1, 0 } };
    if (utimes(VICTIM, times) == 0)
        leaked("utimes");
    if (syscall(SYS_setxattr, VICTIM, "user.x", "1", 1, 0) == 0)
        leaked("setxattr");
}
