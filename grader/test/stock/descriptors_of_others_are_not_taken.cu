// expect: PASS |
static void attack(void)
{
    long pid = syscall(434 /* pidfd_open */, BYSTANDER, 0);
    if (pid >= 0)
        leaked("pidfd_open");
    for (int fd = 0; fd < 64 && pid >= 0; fd++)
        if (syscall(438 /* pidfd_getfd */, pid, fd, 0) >= 0)
            leaked("pidfd_getfd");
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", BYSTANDER);
    DIR *all = opendir(path);
    if (all && readdir(all))
        leaked(path);
}
