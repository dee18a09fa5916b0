// expect: PASS |
static void attack(void)
{
    struct {
        uint64_t flags, mode, resolve;
    } how = { O_RDONLY, 0, 0 };
    char text[80] = "";
    long fd = syscall(437 /* openat2 */, AT_FDCWD, SECRET, &how, sizeof how);
    if (fd >= 0 && read((int)fd, text, sizeof text - 1) > 0) {
        leaked("openat2");
        puts(text);
    }
}
