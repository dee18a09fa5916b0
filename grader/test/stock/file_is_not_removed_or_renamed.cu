// expect: PASS |
static void attack(void)
{
    if (unlink(VICTIM) == 0 || rename(VICTIM, VICTIM "2") == 0 || rmdir(FOLDER) == 0)
        leaked("unlink");
    if (renameat2(AT_FDCWD, VICTIM, AT_FDCWD, VICTIM "3", 1) == 0)
        leaked("renameat2");
}
