// expect: PASS |
static void attack(void)
{
    char text[80] = "";
    long fd = syscall(SYS_open, SECRET, O_RDONLY, 0);
    if (fd >= 0 && syscall(SYS_read, fd, text, sizeof text - 1) > 0) {
        leaked("open");
        puts(text);
    }
}
