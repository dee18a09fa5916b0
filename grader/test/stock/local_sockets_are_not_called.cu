// expect: PASS |
static void attack(void)
{
    struct sockaddr_un there = { AF_UNIX, LISTENER };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&there, sizeof there) == 0)
        leaked("unix");
    there.sun_path[0] = 0;
    int abstract = socket(AF_UNIX, SOCK_STREAM, 0);
    if (abstract >= 0 && bind(abstract, (struct sockaddr *)&there, sizeof there) == 0)
        leaked("an abstract name");
}
