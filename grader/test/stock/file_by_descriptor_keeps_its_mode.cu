// expect: PASS |
static void attack(void)
{
    int fd = open("/usr/lib", O_RDONLY | O_DIRECTORY), any = open(VICTIM, O_PATH);
    if (fd >= 0 && (fchmod(fd, 0700) == 0 || fchown(fd, 1, 1) == 0))
        leaked("fchmod");
    if (any >= 0 && fchmodat(any, "", 0, 0x1000 /* AT_EMPTY_PATH */) == 0)
        leaked("fchmodat");
}
