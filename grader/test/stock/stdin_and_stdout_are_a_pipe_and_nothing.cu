// expect: PASS |
static void attack(void)
{
    char text[8];
    if (read(0, text, sizeof text) > 0)
        leaked("stdin");
    for (int fd = 5; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) != -1) {
            char link[300] = "", path[64];
            snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
            ssize_t length = readlink(path, link, sizeof link - 1);
            if (length > 0)
                leaked(link);
        }
}
