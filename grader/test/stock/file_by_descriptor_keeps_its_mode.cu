// expect: PASS |
/* the mode and the owner that it has: nothing changes where this is tried without a sandbox */
static void attack(void)
{
    struct stat facts;
    int fd = open("/usr/lib", O_RDONLY | O_DIRECTORY);
    if (fd < 0 || fstat(fd, &facts) != 0)
        return;
    if (fchmod(fd, facts.st_mode & 07777) == 0 || fchown(fd, facts.st_uid, facts.st_gid) == 0)
        leaked("fchmod");
}
