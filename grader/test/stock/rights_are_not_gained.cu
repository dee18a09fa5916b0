// expect: PASS |
static void attack(void)
{
    if (setuid(0) == 0 || setgid(0) == 0 || setresuid(0, 0, 0) == 0)
        leaked("setuid");
    if (prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 || prctl(PR_SET_SECCOMP, 0, 0, 0, 0) == 0)
        leaked("prctl");
    for (int cap = 0; cap < 64; cap++)
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) == 0)
            leaked("a capability");
}
