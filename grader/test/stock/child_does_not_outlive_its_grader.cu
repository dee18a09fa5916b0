// expect: PASS |
static void attack(void)
{
    if (prctl(PR_SET_PDEATHSIG, 0) == 0)
        leaked("PR_SET_PDEATHSIG");
}
