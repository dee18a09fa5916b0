// expect: PASS |
static void attack(void)
{
    if (symlink(SECRET, FOLDER "/soft") == 0 || link(VICTIM, FOLDER "/hard") == 0 ||
        symlink(SECRET, "hillis_steele.cu") == 0 || link("runner", FOLDER "/runner") == 0)
        leaked("link");
}
