// expect: PASS |
static void attack(void)
{
    if (chmod(VICTIM, 0) == 0 || fchmodat(AT_FDCWD, VICTIM, 0777, 0) == 0)
        leaked("chmod");
    if (syscall(452 /* fchmodat2 */, AT_FDCWD, VICTIM, 0777, 0) == 0)
        leaked("fchmodat2");
    if (chown(VICTIM, 1, 1) == 0)
        leaked("chown");
}
