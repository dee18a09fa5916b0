// expect: PASS |
/* The grader's arguments name folders and seeds; the first process of a namespace is its copy. */
static void attack(void)
{
    char text[4000] = "";
    int fd = open("/proc/1/cmdline", O_RDONLY);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text);
    for (ssize_t k = 0; k < got; k++)
        if (text[k]) {
            leaked("the command line of process 1");
            return;
        }
}
