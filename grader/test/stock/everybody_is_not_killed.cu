// expect: PASS |
/* signal 0 asks whether one may: where this is tried without a sandbox, nobody dies */
static void attack(void)
{
    if (kill(-1, 0) == 0)
        leaked("kill(-1)");
}
