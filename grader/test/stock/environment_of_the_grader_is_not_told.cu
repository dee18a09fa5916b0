// expect: PASS |
static void attack(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", getppid());
    tell_file(path);
    snprintf(path, sizeof path, "/proc/%d/cmdline", getppid());
    tell_file(path);
    if (getenv("SCANLAB_STOCK_SECRET"))
        leaked("environment");
}
